import type { Address } from "viem";

/** An address and the package that it comes from. */
export interface Fact {
  readonly address: Address;
  readonly source: string;
}

/** A currency. */
export interface TokenFact extends Fact {
  readonly symbol: string;
  readonly decimals: number;
}

/** Known contracts on a network. Unknown ones are absent. */
export interface NetworkFacts {
  readonly chainId: number;
  /** The native currency as a token. */
  readonly wrappedNative?: Fact;
  /** Currencies pegged to the dollar. The first one is used for comparisons. */
  readonly dollars?: readonly TokenFact[];
  /** Other currencies that are in many pools. */
  readonly currencies?: readonly TokenFact[];
  /** Seaport 1.6. */
  readonly seaport?: Fact;
  /** A router that is compatible with Uniswap V2's. */
  readonly uniswapV2Router?: Fact;
  /** Uniswap V3's `Quoter` or `QuoterV2`, and its `SwapRouter02`. */
  readonly uniswapV3?: { readonly quoter: Fact; readonly router: Fact };
}

/**
 * Returns a function that creates facts with a source: an npm package and its
 * version.
 */
function from(source: string): (address: Address) => Fact {
  return (address) => ({ address, source });
}

const circle = from("@circle-fin/bridge-kit 1.15.1");
const lifi = from("@lifi/data-types 7.1.0");
const opensea = from("@opensea/sdk 12.9.1");
const reservoir = from("@reservoir0x/sdk 0.0.372");
const sushi = from("sushi 7.3.15");
const listed = from("@uniswap/default-token-list 22.21.0");
const uniswap = from("@uniswap/sdk-core 7.19.4");

function token(symbol: string, decimals: number, fact: Fact): TokenFact {
  return { symbol, decimals, ...fact };
}

/**
 * The address of Seaport 1.6 on most networks, which is derived from its code.
 */
const seaport = "0x0000000000000068F116a894984e2DB1123eB395";

/** Uniswap V3 on the networks that had it first. */
const uniswapV3 = {
  quoter: uniswap("0xb27308f9F90D607463bb33eA1BeBb41C27CE5AB6"),
  router: uniswap("0x68b3465833fb72A70ecDF485E0e4C7bD8665Fc45"),
};

/**
 * The known contracts on each network that has any. `config.yaml` can override
 * them. Every fact has a source.
 */
export const networkFacts: readonly NetworkFacts[] = [
  {
    chainId: 1,
    wrappedNative: uniswap("0xC02aaA39b223FE8D0A0e5C4F27eAD9083C756Cc2"),
    dollars: [
      token("USDC", 6, circle("0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48")),
      token("USDT", 6, listed("0xdAC17F958D2ee523a2206206994597C13D831ec7")),
      token("DAI", 18, listed("0x6B175474E89094C44Da98b954EedeAC495271d0F")),
    ],
    seaport: reservoir(seaport),
    uniswapV2Router: uniswap("0x7a250d5630B4cF539739dF2C5dAcb4c659F2488D"),
    uniswapV3,
  },
  {
    chainId: 11155111,
    wrappedNative: uniswap("0xfFf9976782d46CC05630D1f6eBAb18b2324d6B14"),
    dollars: [
      token("USDC", 6, circle("0x1c7D4B196Cb0C7B01d743Fbc6116a902379C7238")),
    ],
    seaport: reservoir(seaport),
    uniswapV2Router: uniswap("0xeE567Fe1712Faf6149d80dA1E6934E354124CfE3"),
    uniswapV3: {
      quoter: uniswap("0xEd1f6473345F45b75F8179591dd5bA1888cf2FB3"),
      router: uniswap("0x3bFA4769FB09eefC5a80d6E87c3B9C650f7Ae48E"),
    },
  },
  {
    chainId: 137,
    wrappedNative: uniswap("0x0d500B1d8E8eF31E21C99d1Db9A6444d3ADf1270"),
    dollars: [
      token("USDC", 6, circle("0x3c499c542cEF5E3811e1192ce70d8cC03d5c3359")),
      token("USDC.e", 6, listed("0x2791Bca1f2de4661ED88A30C99A7a9449Aa84174")),
      token("USDT", 6, listed("0xc2132D05D31c914a87C6611C10748AEb04B58e8F")),
      token("DAI", 18, listed("0x8f3Cf7ad23Cd3CaDbD9735AFf958023239c6A063")),
    ],
    currencies: [
      token("WETH", 18, listed("0x7ceB23fD6bC0adD59E62ac25578270cFf1b9f619")),
    ],
    seaport: reservoir(seaport),
    uniswapV2Router: uniswap("0xedf6066a2b290C185783862C7F4776A2C8077AD1"),
    uniswapV3,
  },
  {
    chainId: 80002,
    wrappedNative: reservoir("0x0ae690AAD8663aaB12a671A6A0d74242332de85f"),
    dollars: [
      token("USDC", 6, circle("0x41E94Eb019C0762f9Bfcf9Fb1E58725BfB0e7582")),
    ],
    seaport: reservoir(seaport),
  },
  {
    chainId: 1101,
    wrappedNative: reservoir("0x4F9A0e7FD2Bf6067db6994CF12E4495Df938E6e9"),
    dollars: [
      token("USDC", 6, sushi("0xA8CE8aee21bC2A48a5EF670afCc9274C7bbbC035")),
      token("USDT", 6, sushi("0x1E4a5963aBFD975d8c9021ce480b42188849D41d")),
    ],
    uniswapV2Router: sushi("0x9B3336186a38E1b6c21955d112dbb0343Ee061eE"),
  },
  {
    chainId: 42161,
    wrappedNative: uniswap("0x82aF49447D8a07e3bd95BD0d56f35241523fBab1"),
    dollars: [
      token("USDC", 6, circle("0xaf88d065e77c8cC2239327C5EDb3A432268e5831")),
      token("USDC.e", 6, listed("0xFF970A61A04b1cA14834A43f5dE4533eBDDB5CC8")),
      token("USDT0", 6, listed("0xFd086bC7CD5C481DCC9C85ebE478A1C0b69FCbb9")),
      token("DAI", 18, listed("0xDA10009cBd5D07dd0CeCc66161FC93D7c9000da1")),
    ],
    seaport: reservoir(seaport),
    uniswapV2Router: uniswap("0x4752ba5DBc23f44D87826276BF6Fd6b1C372aD24"),
    uniswapV3,
  },
  {
    chainId: 42170,
    wrappedNative: reservoir("0x722E8BdD2ce80A4422E880164f2079488e115365"),
    dollars: [
      token("USDC", 6, sushi("0x750ba8b76187092B0D1E87E28daaf484d1b5273b")),
      token("USDT", 6, sushi("0xeD9d63a96c27f87B07115b56b2e3572827f21646")),
    ],
    seaport: reservoir(seaport),
    uniswapV2Router: sushi("0x1b02dA8Cb0d097eB8D57A175b88c7D8b47997506"),
  },
  {
    chainId: 421614,
    wrappedNative: uniswap("0x980B62Da83eFf3D4576C647993b0c1D7faf17c73"),
    dollars: [
      token("USDC", 6, circle("0x75faf114eafb1BDbe2F0316DF893fd58CE46AA4d")),
    ],
    uniswapV3: {
      quoter: uniswap("0x2779a0CC1c3e0E44D2542EC3e79e3864Ae93Ef0B"),
      router: uniswap("0x101F443B4d1b059569D643917553c771E1b9663E"),
    },
  },
  {
    chainId: 10,
    wrappedNative: uniswap("0x4200000000000000000000000000000000000006"),
    dollars: [
      token("USDC", 6, circle("0x0b2C639c533813f4Aa9D7837CAf62653d097Ff85")),
      token("USDC.e", 6, listed("0x7F5c764cBc14f9669B88837ca1490cCa17c31607")),
      token("USDT", 6, listed("0x94b008aA00579c1307B0EF2c499aD98a8ce58e58")),
      token("USDT0", 6, listed("0x01bFF41798a0BcF287b996046Ca68b395DbC1071")),
      token("DAI", 18, listed("0xDA10009cBd5D07dd0CeCc66161FC93D7c9000da1")),
    ],
    seaport: reservoir(seaport),
    uniswapV2Router: uniswap("0x4A7b5Da61326A6379179b40d00F57E5bbDC962c2"),
    uniswapV3,
  },
  {
    chainId: 11155420,
    wrappedNative: uniswap("0x4200000000000000000000000000000000000006"),
    dollars: [
      token("USDC", 6, circle("0x5fd84259d66Cd46123540766Be93DFE6D43130D7")),
    ],
    uniswapV3: {
      quoter: uniswap("0x0FBEa6cf957d95ee9313490050F6A0DA68039404"),
      router: uniswap("0x94cC0AaC535CCDB3C01d6787D6413C739ae12bc4"),
    },
  },
  {
    chainId: 8453,
    wrappedNative: uniswap("0x4200000000000000000000000000000000000006"),
    dollars: [
      token("USDC", 6, circle("0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913")),
      token("DAI", 18, listed("0x50c5725949A6F0c72E6C4a641F24049A917DB0Cb")),
    ],
    seaport: reservoir(seaport),
    uniswapV2Router: uniswap("0x4752ba5DBc23f44D87826276BF6Fd6b1C372aD24"),
    uniswapV3: {
      quoter: uniswap("0x3d4e44Eb1374240CE5F1B871ab261CD16335B76a"),
      router: uniswap("0x2626664c2603336E57B271c5C0b26F421741e481"),
    },
  },
  {
    chainId: 84532,
    wrappedNative: uniswap("0x4200000000000000000000000000000000000006"),
    dollars: [
      token("USDC", 6, circle("0x036CbD53842c5426634e7929541eC2318f3dCF7e")),
    ],
    seaport: reservoir(seaport),
    uniswapV2Router: uniswap("0x1689E7B1F10000AE47eBfE339a4f69dECd19F602"),
    uniswapV3: {
      quoter: uniswap("0xC5290058841028F1614F3A6F0F5816cAd0df5E27"),
      router: uniswap("0x94cC0AaC535CCDB3C01d6787D6413C739ae12bc4"),
    },
  },
  {
    chainId: 56,
    wrappedNative: uniswap("0xbb4CdB9CBd36B01bD1cBaEBF2De08d9173bc095c"),
    dollars: [
      token("USDC", 18, listed("0x8AC76a51cc950d9822D68b83fE1Ad97B32Cd580d")),
      token("USDT", 18, listed("0x55d398326f99059fF775485246999027B3197955")),
      token("DAI", 18, listed("0x1AF3F329e8BE154074D8769D1FFa4eE058B1DBc3")),
    ],
    seaport: reservoir(seaport),
    uniswapV2Router: uniswap("0x4752ba5DBc23f44D87826276BF6Fd6b1C372aD24"),
    uniswapV3: {
      quoter: uniswap("0x78D78E420Da98ad378D7799bE8f4AF69033EB077"),
      router: uniswap("0xB971eF87ede563556b2ED4b1C0b0019111Dd85d2"),
    },
  },
  {
    chainId: 43114,
    wrappedNative: uniswap("0xB31f66AA3C1e785363F0875A1B74E27b85FD66c7"),
    dollars: [
      token("USDC", 6, circle("0xB97EF9Ef8734C71904D8002F8b6Bc66Dd9c48a6E")),
      token("USDT", 6, listed("0x9702230A8Ea53601f5cD2dc00fDBc13d4dF4A8c7")),
    ],
    seaport: reservoir(seaport),
    uniswapV2Router: uniswap("0x4752ba5DBc23f44D87826276BF6Fd6b1C372aD24"),
    uniswapV3: {
      quoter: uniswap("0xbe0F5544EC67e9B3b2D979aaA43f18Fd87E6257F"),
      router: uniswap("0xbb00FF08d01D300023C629E8fFfFcb65A5a578cE"),
    },
  },
  {
    chainId: 43113,
    dollars: [
      token("USDC", 6, circle("0x5425890298aed601595a70AB815c96711a31Bc65")),
    ],
  },
  {
    chainId: 100,
    wrappedNative: sushi("0xe91D153E0b41518A2Ce8Dd3D7944Fa863463a97d"),
    dollars: [
      token("USDC", 6, sushi("0xDDAfbb505ad214D7b80b1f830fcCc89B60fb7A83")),
      token("USDT", 6, sushi("0x4ECaBa5870353805a9F068101A40E0f32ed605C6")),
    ],
    uniswapV2Router: sushi("0x1b02dA8Cb0d097eB8D57A175b88c7D8b47997506"),
  },
  {
    chainId: 81457,
    wrappedNative: uniswap("0x4300000000000000000000000000000000000004"),
    dollars: [
      token("USDB", 18, sushi("0x4300000000000000000000000000000000000003")),
    ],
    seaport: reservoir(seaport),
    uniswapV2Router: uniswap("0xBB66Eb1c5e875933D44DAe661dbD80e5D9B03035"),
    uniswapV3: {
      quoter: uniswap("0x6Cdcd65e03c1CEc3730AeeCd45bc140D57A25C77"),
      router: uniswap("0x549FEB8c9bd4c12Ad2AB27022dA12492aC452B66"),
    },
  },
  {
    chainId: 33139,
    wrappedNative: reservoir("0x48b62137EdfA95a428D35C09E44256a739F6B557"),
    dollars: [
      token("USDC.e", 6, lifi("0xF1815bd50389c46847f0Bda824eC8da914045D14")),
      token("USDT", 6, lifi("0x674843C06FF83502ddb4D37c2E09C01cdA38cbc8")),
    ],
    seaport: reservoir(seaport),
  },
  {
    chainId: 33111,
    wrappedNative: reservoir("0x8643A49363E80C7A15790703b915D1b0B6b71D56"),
    seaport: reservoir(seaport),
  },
  {
    chainId: 8333,
    wrappedNative: reservoir("0x4200000000000000000000000000000000000006"),
    seaport: reservoir(seaport),
  },
  {
    chainId: 1868,
    wrappedNative: uniswap("0x4200000000000000000000000000000000000006"),
    dollars: [
      token("USDC", 6, listed("0xbA9986D2381edf1DA03B0B9c1f8b00dc4AacC369")),
      token("USDT", 6, listed("0x3A337a6adA9d885b6Ad95ec48F9b75f197b5AE35")),
    ],
    seaport: reservoir(seaport),
    uniswapV2Router: uniswap("0x273F68c234fA55b550b40E563c4a488e0D334320"),
    uniswapV3: {
      quoter: uniswap("0x3E6C707d0125226ff60F291b6Bd1404634F00AbA"),
      router: uniswap("0x7E40dB01736f88464e5f4E42394F3d5bbb6705B9"),
    },
  },
  {
    chainId: 1946,
    wrappedNative: reservoir("0x4200000000000000000000000000000000000006"),
    seaport: reservoir(seaport),
  },
  {
    chainId: 42793,
    wrappedNative: lifi("0xc9B53AB2679f573e480d01e0f49e2B5CFB7a3EAb"),
    dollars: [
      token("USDC", 6, lifi("0x796Ea11Fa2dD751eD01b53C372fFDB4AAa8f00F9")),
      token("USDT", 6, lifi("0x2C03058C8AFC06713be23e58D2febC8337dbfE6A")),
    ],
  },
  {
    chainId: 13371,
    wrappedNative: lifi("0x3A0C2Ba54D6CBd3121F01b96dFd20e99D1696C9D"),
    dollars: [
      token("USDC", 6, lifi("0x6de8aCC0D406837030CE4dd28e7c08C5a96a30d2")),
      token("USDT", 6, lifi("0x68bcc7F1190AF20e7b572BCfb431c3Ac10A936Ab")),
    ],
  },
  {
    chainId: 660279,
    wrappedNative: reservoir("0x3fB787101DC6Be47cfe18aeEe15404dcC842e6AF"),
    seaport: reservoir(seaport),
  },
  {
    chainId: 1482601649,
    wrappedNative: reservoir("0xaB01BAd2C86e24D371A13eD6367bdCa819589C5D"),
    dollars: [
      token("USDC", 6, reservoir("0xCC205196288B7A26f6D43bBD68AaA98dde97276d")),
    ],
  },
  {
    chainId: 40,
    wrappedNative: lifi("0xD102cE6A4dB07D247fcc28F366A623Df0938CA9E"),
    dollars: [
      token("USDC", 6, lifi("0x8D97Cea50351Fb4329d591682b148D43a0C3611b")),
      token("USDT", 6, lifi("0x975Ed13fa16857E83e7C493C7741D556eaaD4A3f")),
    ],
  },
  {
    chainId: 1284,
    wrappedNative: lifi("0xAcc15dC74880C9944775448304B263D191c6077F"),
    dollars: [
      token("USDC", 6, lifi("0x818ec0A7Fe18Ff94269904fCED6AE3DaE6d6dC0b")),
      token("USDT", 6, lifi("0xeFAeeE334F0Fd1712f9a8cc375f427D9Cdd40d73")),
    ],
  },
  {
    chainId: 143,
    wrappedNative: uniswap("0x3bd359C1119dA7Da1D913D1C4D2B7c461115433A"),
    dollars: [
      token("USDC", 6, circle("0x754704Bc059F8C67012fEd69BC8A327a5aafb603")),
      token("USDT", 6, listed("0xe7cd86e13AC4309349F30B3435a9d337750fC82D")),
    ],
    seaport: opensea(seaport),
    uniswapV2Router: uniswap("0x4B2ab38DBF28D31D467aA8993f6c2585981D6804"),
    uniswapV3: {
      quoter: uniswap("0x2d01411773c8C24805306E89A41F7855C3c4Fe65"),
      router: uniswap("0xfE31F71C1b106EAc32F1A19239c9a9A72ddfb900"),
    },
  },
  {
    chainId: 5031,
    wrappedNative: lifi("0x046EDe9564A72571df6F5e44d0405360c0f4dCab"),
    dollars: [
      token("USDC.e", 6, lifi("0x28BEc7E30E6faee657a03e19Bf1128AaD7632A00")),
    ],
    seaport: opensea("0x00000000006687982678b03100B9bDC8be440814"),
  },
  {
    chainId: 747474,
    wrappedNative: sushi("0xEE7D8BCFb72bC1880D0Cf19822eB0A2e6577aB62"),
    dollars: [
      token("USDC", 6, sushi("0x203A662b0BD271A6ed5a60EdFbd04bFce608FD36")),
      token("USDT", 6, sushi("0x2DCa96907fde857dd3D816880A0df407eeB2D2F2")),
    ],
    uniswapV2Router: sushi("0x69cC349932ae18ED406eeB917d79b9b3033fB68E"),
  },
];
