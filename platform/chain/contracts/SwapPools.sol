// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";

interface IWrappedNative is IERC20 {
    function deposit() external payable;
    function withdraw(uint256 amount) external;
}

/// Constant-product pools with a fee of 0.3 percent and the functions of a
/// Uniswap V2 router. Liquidity cannot be withdrawn.
contract SwapPools {
    using SafeERC20 for IERC20;

    address public immutable WETH;

    /// The reserve of the first currency in its pool with the second.
    mapping(address currency => mapping(address other => uint256 amount))
        public reserveOf;

    event Swap(
        address indexed sender,
        address indexed sold,
        address indexed bought,
        uint256 amountIn,
        uint256 amountOut,
        address to
    );

    modifier before(uint256 deadline) {
        require(block.timestamp <= deadline, "EXPIRED");
        _;
    }

    constructor(address weth) {
        WETH = weth;
    }

    receive() external payable {
        require(msg.sender == WETH, "ONLY_WETH");
    }

    function addLiquidity(
        address one,
        address other,
        uint256 amountOfOne,
        uint256 amountOfOther
    ) external {
        require(one != other, "IDENTICAL_ADDRESSES");
        reserveOf[one][other] += amountOfOne;
        reserveOf[other][one] += amountOfOther;
        IERC20(one).safeTransferFrom(msg.sender, address(this), amountOfOne);
        IERC20(other).safeTransferFrom(
            msg.sender,
            address(this),
            amountOfOther
        );
    }

    function getAmountOut(
        uint256 amountIn,
        uint256 reserveIn,
        uint256 reserveOut
    ) public pure returns (uint256 amountOut) {
        require(amountIn > 0, "INSUFFICIENT_INPUT_AMOUNT");
        require(reserveIn > 0 && reserveOut > 0, "INSUFFICIENT_LIQUIDITY");
        uint256 kept = amountIn * 997;
        return (kept * reserveOut) / (reserveIn * 1000 + kept);
    }

    function getAmountIn(
        uint256 amountOut,
        uint256 reserveIn,
        uint256 reserveOut
    ) public pure returns (uint256 amountIn) {
        require(amountOut > 0, "INSUFFICIENT_OUTPUT_AMOUNT");
        require(reserveIn > 0 && reserveOut > amountOut, "INSUFFICIENT_LIQUIDITY");
        uint256 owed = reserveIn * amountOut * 1000;
        return owed / ((reserveOut - amountOut) * 997) + 1;
    }

    function getAmountsOut(
        uint256 amountIn,
        address[] calldata path
    ) public view returns (uint256[] memory amounts) {
        require(path.length >= 2, "INVALID_PATH");
        amounts = new uint256[](path.length);
        amounts[0] = amountIn;
        for (uint256 i = 0; i + 1 < path.length; i++) {
            amounts[i + 1] = getAmountOut(
                amounts[i],
                reserveOf[path[i]][path[i + 1]],
                reserveOf[path[i + 1]][path[i]]
            );
        }
    }

    function getAmountsIn(
        uint256 amountOut,
        address[] calldata path
    ) public view returns (uint256[] memory amounts) {
        require(path.length >= 2, "INVALID_PATH");
        amounts = new uint256[](path.length);
        amounts[path.length - 1] = amountOut;
        for (uint256 i = path.length - 1; i > 0; i--) {
            amounts[i - 1] = getAmountIn(
                amounts[i],
                reserveOf[path[i - 1]][path[i]],
                reserveOf[path[i]][path[i - 1]]
            );
        }
    }

    function swapExactTokensForTokens(
        uint256 amountIn,
        uint256 amountOutMin,
        address[] calldata path,
        address to,
        uint256 deadline
    ) external before(deadline) returns (uint256[] memory amounts) {
        amounts = getAmountsOut(amountIn, path);
        requireEnough(amounts, amountOutMin);
        take(path[0], amounts[0]);
        swap(amounts, path, to);
        pay(path[path.length - 1], to, amounts[path.length - 1]);
    }

    function swapTokensForExactTokens(
        uint256 amountOut,
        uint256 amountInMax,
        address[] calldata path,
        address to,
        uint256 deadline
    ) external before(deadline) returns (uint256[] memory amounts) {
        amounts = getAmountsIn(amountOut, path);
        requireWithin(amounts, amountInMax);
        take(path[0], amounts[0]);
        swap(amounts, path, to);
        pay(path[path.length - 1], to, amountOut);
    }

    function swapExactETHForTokens(
        uint256 amountOutMin,
        address[] calldata path,
        address to,
        uint256 deadline
    ) external payable before(deadline) returns (uint256[] memory amounts) {
        require(path[0] == WETH, "INVALID_PATH");
        amounts = getAmountsOut(msg.value, path);
        requireEnough(amounts, amountOutMin);
        IWrappedNative(WETH).deposit{value: amounts[0]}();
        swap(amounts, path, to);
        pay(path[path.length - 1], to, amounts[path.length - 1]);
    }

    function swapETHForExactTokens(
        uint256 amountOut,
        address[] calldata path,
        address to,
        uint256 deadline
    ) external payable before(deadline) returns (uint256[] memory amounts) {
        require(path[0] == WETH, "INVALID_PATH");
        amounts = getAmountsIn(amountOut, path);
        requireWithin(amounts, msg.value);
        IWrappedNative(WETH).deposit{value: amounts[0]}();
        swap(amounts, path, to);
        pay(path[path.length - 1], to, amountOut);
        payNative(msg.sender, msg.value - amounts[0]);
    }

    function swapExactTokensForETH(
        uint256 amountIn,
        uint256 amountOutMin,
        address[] calldata path,
        address to,
        uint256 deadline
    ) external before(deadline) returns (uint256[] memory amounts) {
        require(path[path.length - 1] == WETH, "INVALID_PATH");
        amounts = getAmountsOut(amountIn, path);
        requireEnough(amounts, amountOutMin);
        take(path[0], amounts[0]);
        swap(amounts, path, to);
        unwrap(to, amounts[path.length - 1]);
    }

    function swapTokensForExactETH(
        uint256 amountOut,
        uint256 amountInMax,
        address[] calldata path,
        address to,
        uint256 deadline
    ) external before(deadline) returns (uint256[] memory amounts) {
        require(path[path.length - 1] == WETH, "INVALID_PATH");
        amounts = getAmountsIn(amountOut, path);
        requireWithin(amounts, amountInMax);
        take(path[0], amounts[0]);
        swap(amounts, path, to);
        unwrap(to, amountOut);
    }

    function requireEnough(
        uint256[] memory amounts,
        uint256 amountOutMin
    ) private pure {
        require(
            amounts[amounts.length - 1] >= amountOutMin,
            "INSUFFICIENT_OUTPUT_AMOUNT"
        );
    }

    function requireWithin(
        uint256[] memory amounts,
        uint256 amountInMax
    ) private pure {
        require(amounts[0] <= amountInMax, "EXCESSIVE_INPUT_AMOUNT");
    }

    /// Moves amounts from pool to pool along the path.
    function swap(
        uint256[] memory amounts,
        address[] calldata path,
        address to
    ) private {
        for (uint256 i = 0; i + 1 < path.length; i++) {
            (address sold, address bought) = (path[i], path[i + 1]);
            reserveOf[sold][bought] += amounts[i];
            reserveOf[bought][sold] -= amounts[i + 1];
            emit Swap(msg.sender, sold, bought, amounts[i], amounts[i + 1], to);
        }
    }

    function take(address currency, uint256 amount) private {
        IERC20(currency).safeTransferFrom(msg.sender, address(this), amount);
    }

    function pay(address currency, address to, uint256 amount) private {
        IERC20(currency).safeTransfer(to, amount);
    }

    function unwrap(address to, uint256 amount) private {
        IWrappedNative(WETH).withdraw(amount);
        payNative(to, amount);
    }

    function payNative(address to, uint256 amount) private {
        if (amount == 0) return;
        (bool isPaid, ) = to.call{value: amount}("");
        require(isPaid, "ETH_TRANSFER_FAILED");
    }
}
