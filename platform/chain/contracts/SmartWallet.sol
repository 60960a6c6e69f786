// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {ECDSA} from "@openzeppelin/contracts/utils/cryptography/ECDSA.sol";
import {MessageHashUtils} from "@openzeppelin/contracts/utils/cryptography/MessageHashUtils.sol";
import {ERC721Holder} from "@openzeppelin/contracts/token/ERC721/utils/ERC721Holder.sol";
import {ERC1155Holder} from "@openzeppelin/contracts/token/ERC1155/utils/ERC1155Holder.sol";

/// A wallet that is a contract: what its owner signs, it has signed. All of them
/// have the same code, by which they are told from those that only look so: the
/// owner is not in it.
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

    /// Of the next call that its owner signs.
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

    /// Makes a call that the owner has signed as EIP-712 has it, for whoever pays
    /// the gas. A call that fails undoes all, its nonce as well.
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
        // Before the call, which may come back here.
        nonce = nonce_ + 1;
        return call(to, value, data);
    }

    /// What the owner signs: for this wallet on this chain only.
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
