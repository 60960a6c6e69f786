// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";

/// Never deployed: its constructor returns whether a currency allows replacing
/// a nonzero allowance.
contract ApprovalProbe {
    constructor(address currency) {
        bytes memory result = abi.encode(
            approve(currency, 1) && approve(currency, 2)
        );
        assembly {
            return(add(result, 32), mload(result))
        }
    }

    function approve(address currency, uint256 value) private returns (bool) {
        (bool isDone, ) = currency.call(
            abi.encodeCall(IERC20.approve, (address(1), value))
        );
        return isDone;
    }
}
