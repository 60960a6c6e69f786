// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {IERC1155} from "@openzeppelin/contracts/token/ERC1155/IERC1155.sol";
import {ERC1155Holder} from "@openzeppelin/contracts/token/ERC1155/utils/ERC1155Holder.sol";

/// Sells its own items like the sales contracts of ERC-1155 collections, with
/// a general price for all tokens and separate prices for individual ones.
contract FixtureSale is ERC1155Holder {
    struct SaleDetails {
        uint256 cost;
        uint256 supplyCap;
        uint64 startTime;
        uint64 endTime;
        bytes32 merkleRoot;
    }

    IERC1155 public immutable items;
    /// The zero address means the native currency.
    address public immutable paymentToken;
    SaleDetails private all;
    mapping(uint256 tokenId => SaleDetails details) private single;

    constructor(
        IERC1155 items_,
        address paymentToken_,
        uint256 cost,
        uint256[] memory tokenIds,
        uint256[] memory costs
    ) {
        items = items_;
        paymentToken = paymentToken_;
        all = openSale(cost);
        for (uint256 i = 0; i < tokenIds.length; i++) {
            single[tokenIds[i]] = openSale(costs[i]);
        }
    }

    function openSale(uint256 cost) private pure returns (SaleDetails memory) {
        return SaleDetails(cost, 0, 0, type(uint64).max, 0);
    }

    function globalSaleDetails() external view returns (SaleDetails memory) {
        return all;
    }

    function tokenSaleDetails(
        uint256 tokenId
    ) external view returns (SaleDetails memory) {
        return single[tokenId];
    }

    function mint(
        address to,
        uint256[] calldata tokenIds,
        uint256[] calldata amounts,
        bytes calldata data,
        address expectedPaymentToken,
        uint256 maxTotal,
        bytes32[] calldata
    ) external payable {
        uint256 total = 0;
        for (uint256 i = 0; i < tokenIds.length; i++) {
            SaleDetails storage own = single[tokenIds[i]];
            uint256 cost = own.endTime == 0 ? all.cost : own.cost;
            total += cost * amounts[i];
        }
        require(expectedPaymentToken == paymentToken, "another currency");
        require(total <= maxTotal, "too expensive");
        if (paymentToken == address(0)) {
            require(msg.value == total, "not the price");
        } else {
            IERC20 token = IERC20(paymentToken);
            require(token.transferFrom(msg.sender, address(this), total));
        }
        items.safeBatchTransferFrom(address(this), to, tokenIds, amounts, data);
    }
}
