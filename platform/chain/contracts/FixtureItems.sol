// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {ERC1155} from "@openzeppelin/contracts/token/ERC1155/ERC1155.sol";
import {Ownable} from "@openzeppelin/contracts/access/Ownable.sol";

/// ERC-1155 tokens, which can each exist many times. Their URI contains {id}.
contract FixtureItems is ERC1155, Ownable {
    string public name;
    string public symbol;
    string public contractURI;

    constructor(
        address owner,
        string memory name_,
        string memory symbol_
    ) ERC1155("") Ownable(owner) {
        name = name_;
        symbol = symbol_;
    }

    function mint(
        address to,
        uint256 tokenId,
        uint256 amount
    ) external onlyOwner {
        _mint(to, tokenId, amount, "");
    }

    function mintBatch(
        address to,
        uint256[] calldata tokenIds,
        uint256[] calldata amounts
    ) external onlyOwner {
        _mintBatch(to, tokenIds, amounts, "");
    }

    function setURI(string calldata uri_) external onlyOwner {
        _setURI(uri_);
    }

    function setContractURI(string calldata uri_) external onlyOwner {
        contractURI = uri_;
    }
}
