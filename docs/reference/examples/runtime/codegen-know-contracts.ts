// Prepares what a server knows about the contracts of its clients. Generated servers use it with the setting [`skew`](../../skew.md).
import { knowContracts } from "@ridlkit/runtime/codegen/know-contracts";

const skew = knowContracts({
  header: "shop@v1.4.0;ngAGCI",
  version: "v1.4.0",
  past: [
    {
      digest: "AJB3yM",
      version: "v1.3.0",
      methods: {
        "Shop.Place": [
          {
            text: "requests now require `Order.total`",
            since: "v1.4.0",
            isCertain: true,
            side: "request",
            places: [
              {
                at: "order.total",
                was: {
                  type: "integer",
                  minimum: 0,
                  maximum: 4294967295,
                  mayBeAbsent: true,
                  mayBeNull: true,
                },
              },
            ],
          },
        ],
      },
      gone: [
        {
          verb: "POST",
          path: "/rpc/Shop/Find",
          text: "method `Shop.Find` was removed",
          since: "v1.4.0",
        },
      ],
    },
  ],
});
console.log(skew);
