import { parseAbi } from "viem";

/** The part of Seaport 1.6 that the platform uses. */
export const seaportAbi = parseAbi([
  "struct OfferItem { uint8 itemType; address token; uint256 identifierOrCriteria; uint256 startAmount; uint256 endAmount; }",
  "struct ConsiderationItem { uint8 itemType; address token; uint256 identifierOrCriteria; uint256 startAmount; uint256 endAmount; address recipient; }",
  "struct OrderParameters { address offerer; address zone; OfferItem[] offer; ConsiderationItem[] consideration; uint8 orderType; uint256 startTime; uint256 endTime; bytes32 zoneHash; uint256 salt; bytes32 conduitKey; uint256 totalOriginalConsiderationItems; }",
  "struct OrderComponents { address offerer; address zone; OfferItem[] offer; ConsiderationItem[] consideration; uint8 orderType; uint256 startTime; uint256 endTime; bytes32 zoneHash; uint256 salt; bytes32 conduitKey; uint256 counter; }",
  "struct Order { OrderParameters parameters; bytes signature; }",
  "struct AdvancedOrder { OrderParameters parameters; uint120 numerator; uint120 denominator; bytes signature; bytes extraData; }",
  "struct CriteriaResolver { uint256 orderIndex; uint8 side; uint256 index; uint256 identifier; bytes32[] criteriaProof; }",
  "struct SpentItem { uint8 itemType; address token; uint256 identifier; uint256 amount; }",
  "struct ReceivedItem { uint8 itemType; address token; uint256 identifier; uint256 amount; address recipient; }",
  "event OrderValidated(bytes32 orderHash, OrderParameters orderParameters)",
  "event OrderFulfilled(bytes32 orderHash, address indexed offerer, address indexed zone, address recipient, SpentItem[] offer, ReceivedItem[] consideration)",
  "event OrderCancelled(bytes32 orderHash, address indexed offerer, address indexed zone)",
  "event CounterIncremented(uint256 newCounter, address indexed offerer)",
  "function validate(Order[] orders) returns (bool validated)",
  "function cancel(OrderComponents[] orders) returns (bool cancelled)",
  "function incrementCounter() returns (uint256 newCounter)",
  "function fulfillOrder(Order order, bytes32 fulfillerConduitKey) payable returns (bool fulfilled)",
  "function fulfillAdvancedOrder(AdvancedOrder advancedOrder, CriteriaResolver[] criteriaResolvers, bytes32 fulfillerConduitKey, address recipient) payable returns (bool fulfilled)",
  "function getCounter(address offerer) view returns (uint256 counter)",
  "function getOrderStatus(bytes32 orderHash) view returns (bool isValidated, bool isCancelled, uint256 totalFilled, uint256 totalSize)",
  "function information() view returns (string version, bytes32 domainSeparator, address conduitController)",
]);

/** The part of Seaport's conduit controller that the platform uses. */
export const conduitControllerAbi = parseAbi([
  "function getConduit(bytes32 conduitKey) view returns (address conduit, bool exists)",
  "function getChannelStatus(address conduit, address channel) view returns (bool isOpen)",
]);
