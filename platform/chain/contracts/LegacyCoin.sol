// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

/// A currency like some older ones: its name is bytes32 instead of string, and
/// it does not allow replacing a nonzero allowance.
contract LegacyCoin {
    bytes32 public constant name = "Legacy Coin";
    bytes32 public constant symbol = "OLD";
    uint8 public constant decimals = 18;
    uint256 public immutable totalSupply;
    mapping(address owner => uint256 amount) public balanceOf;
    mapping(address owner => mapping(address spender => uint256 amount))
        public allowance;

    event Transfer(address indexed from, address indexed to, uint256 value);

    constructor(address owner, uint256 supply) {
        totalSupply = supply;
        balanceOf[owner] = supply;
        emit Transfer(address(0), owner, supply);
    }

    function transfer(address to, uint256 value) external returns (bool) {
        move(msg.sender, to, value);
        return true;
    }

    function approve(address spender, uint256 value) external returns (bool) {
        require(value == 0 || allowance[msg.sender][spender] == 0, "NOT_ZERO");
        allowance[msg.sender][spender] = value;
        return true;
    }

    function transferFrom(
        address from,
        address to,
        uint256 value
    ) external returns (bool) {
        uint256 allowed = allowance[from][msg.sender];
        if (allowed != type(uint256).max) {
            allowance[from][msg.sender] = allowed - value;
        }
        move(from, to, value);
        return true;
    }

    function move(address from, address to, uint256 value) private {
        balanceOf[from] -= value;
        balanceOf[to] += value;
        emit Transfer(from, to, value);
    }
}
