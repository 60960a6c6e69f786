// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {ECDSA} from "@openzeppelin/contracts/utils/cryptography/ECDSA.sol";
import {ERC721Holder} from "@openzeppelin/contracts/token/ERC721/utils/ERC721Holder.sol";
import {ERC1155Holder} from "@openzeppelin/contracts/token/ERC1155/utils/ERC1155Holder.sol";

/// A wallet that is a contract: what its owner signs, it has signed.
contract SmartWallet is ERC721Holder, ERC1155Holder {
    address public immutable owner;

    constructor(address owner_) {
        owner = owner_;
    }

    receive() external payable {}

    function execute(
        address to,
        uint256 value,
        bytes calldata data
    ) external returns (bytes memory) {
        require(msg.sender == owner, "ONLY_OWNER");
        (bool isDone, bytes memory result) = to.call{value: value}(data);
        require(isDone, "CALL_FAILED");
        return result;
    }

    /// As ERC-1271 has it.
    function isValidSignature(
        bytes32 hash,
        bytes calldata signature
    ) external view returns (bytes4) {
        (address signer, ECDSA.RecoverError fault, ) = ECDSA.tryRecover(
            hash,
            signature
        );
        bool isValid = fault == ECDSA.RecoverError.NoError && signer == owner;
        return isValid ? this.isValidSignature.selector : bytes4(0xffffffff);
    }
}
