// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

/// Old currencies call themselves by 32 bytes, not by a string.
contract LegacyCoin {
    bytes32 public constant name = "Legacy Coin";
    bytes32 public constant symbol = "OLD";
    uint8 public constant decimals = 18;
    uint256 public immutable totalSupply;
    mapping(address owner => uint256 amount) public balanceOf;

    event Transfer(address indexed from, address indexed to, uint256 value);

    constructor(address owner, uint256 supply) {
        totalSupply = supply;
        balanceOf[owner] = supply;
        emit Transfer(address(0), owner, supply);
    }

    function transfer(address to, uint256 value) external returns (bool) {
        balanceOf[msg.sender] -= value;
        balanceOf[to] += value;
        emit Transfer(msg.sender, to, value);
        return true;
    }
}
