// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {ECDSA} from "@openzeppelin/contracts/utils/cryptography/ECDSA.sol";
import {MessageHashUtils} from "@openzeppelin/contracts/utils/cryptography/MessageHashUtils.sol";
import {ERC721Holder} from "@openzeppelin/contracts/token/ERC721/utils/ERC721Holder.sol";
import {ERC1155Holder} from "@openzeppelin/contracts/token/ERC1155/utils/ERC1155Holder.sol";

/// A contract wallet whose calls its owner signs. The code does not contain the
/// owner, so all of these wallets have the same code, which identifies them.
contract SmartWallet is ERC721Holder, ERC1155Holder {
    bytes32 private constant DOMAIN_TYPE =
        keccak256(
            "EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)"
        );
    bytes32 private constant CALL_TYPE =
        keccak256(
            "Call(address to,uint256 value,bytes data,uint256 nonce,uint256 deadline)"
        );

    address public owner;

    /// The nonce of the next call that the owner signs.
    uint256 public nonce;

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
        return call(to, value, data);
    }

    /// Executes a call that the owner has signed (EIP-712). Anyone can pay the
    /// gas. A failed call reverts everything, including the nonce.
    function executeSigned(
        address to,
        uint256 value,
        bytes calldata data,
        uint256 nonce_,
        uint256 deadline,
        bytes calldata signature
    ) external returns (bytes memory) {
        require(block.timestamp <= deadline, "TOO_LATE");
        require(nonce_ == nonce, "NONCE");
        bytes32 hash = hashOfCall(to, value, data, nonce_, deadline);
        require(ECDSA.recover(hash, signature) == owner, "ONLY_OWNER");
        // Set this first, because the call may reenter this function.
        nonce = nonce_ + 1;
        return call(to, value, data);
    }

    /// Returns the hash that the owner signs. It differs by wallet and chain.
    function hashOfCall(
        address to,
        uint256 value,
        bytes calldata data,
        uint256 nonce_,
        uint256 deadline
    ) public view returns (bytes32) {
        bytes32 domain = keccak256(
            abi.encode(
                DOMAIN_TYPE,
                keccak256("SmartWallet"),
                keccak256("1"),
                block.chainid,
                address(this)
            )
        );
        bytes32 structure = keccak256(
            abi.encode(CALL_TYPE, to, value, keccak256(data), nonce_, deadline)
        );
        return MessageHashUtils.toTypedDataHash(domain, structure);
    }

    /// Implements ERC-1271.
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

    function call(
        address to,
        uint256 value,
        bytes calldata data
    ) private returns (bytes memory) {
        (bool isDone, bytes memory result) = to.call{value: value}(data);
        require(isDone, "CALL_FAILED");
        return result;
    }
}
