// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {SmartWallet} from "./SmartWallet.sol";

/// Deploys wallets at addresses that are known in advance, so that a wallet can
/// sign before it is deployed (ERC-6492).
contract SmartWalletFactory {
    event WalletCreated(address indexed owner, address wallet);

    function createWallet(
        address owner,
        bytes32 salt
    ) external returns (address wallet) {
        wallet = walletOf(owner, salt);
        if (wallet.code.length > 0) return wallet;
        new SmartWallet{salt: salt}(owner);
        emit WalletCreated(owner, wallet);
    }

    function walletOf(
        address owner,
        bytes32 salt
    ) public view returns (address) {
        bytes memory code = abi.encodePacked(
            type(SmartWallet).creationCode,
            abi.encode(owner)
        );
        bytes32 hash = keccak256(
            abi.encodePacked(bytes1(0xff), address(this), salt, keccak256(code))
        );
        return address(uint160(uint256(hash)));
    }
}
