// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {ERC20} from "@openzeppelin/contracts/token/ERC20/ERC20.sol";
import {Ownable} from "@openzeppelin/contracts/access/Ownable.sol";

/// A currency whose owner can mint any amount.
contract FixtureCoin is ERC20, Ownable {
    uint8 private immutable places;

    constructor(
        address owner,
        string memory name,
        string memory symbol,
        uint8 places_
    ) ERC20(name, symbol) Ownable(owner) {
        places = places_;
    }

    function decimals() public view override returns (uint8) {
        return places;
    }

    function mint(address to, uint256 amount) external onlyOwner {
        _mint(to, amount);
    }
}
