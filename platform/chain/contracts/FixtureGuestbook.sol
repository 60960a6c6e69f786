// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {ERC2771Context} from "@openzeppelin/contracts/metatx/ERC2771Context.sol";

/// Guests write one entry each, themselves or through the forwarder.
contract FixtureGuestbook is ERC2771Context {
    event Signed(address indexed guest, string text);

    mapping(address guest => string) public entryOf;

    constructor(address forwarder) ERC2771Context(forwarder) {}

    function sign(string calldata text) external {
        address guest = _msgSender();
        require(bytes(entryOf[guest]).length == 0, "SIGNED_BEFORE");
        entryOf[guest] = text;
        emit Signed(guest, text);
    }
}
