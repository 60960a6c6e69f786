// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {ERC721} from "@openzeppelin/contracts/token/ERC721/ERC721.sol";
import {Ownable} from "@openzeppelin/contracts/access/Ownable.sol";

/// Unique tokens with metadata that the owner can change.
contract FixtureCollectible is ERC721, Ownable {
    string private baseUri;
    string public contractURI;
    mapping(uint256 tokenId => string uri) private ownUri;

    constructor(
        address owner,
        string memory name,
        string memory symbol
    ) ERC721(name, symbol) Ownable(owner) {}

    function mint(address to, uint256 tokenId) external onlyOwner {
        _mint(to, tokenId);
    }

    function setBaseURI(string calldata uri) external onlyOwner {
        baseUri = uri;
    }

    function setTokenURI(
        uint256 tokenId,
        string calldata uri
    ) external onlyOwner {
        ownUri[tokenId] = uri;
    }

    function setContractURI(string calldata uri) external onlyOwner {
        contractURI = uri;
    }

    function tokenURI(
        uint256 tokenId
    ) public view override returns (string memory) {
        string memory uri = ownUri[tokenId];
        return bytes(uri).length == 0 ? super.tokenURI(tokenId) : uri;
    }

    function _baseURI() internal view override returns (string memory) {
        return baseUri;
    }
}
