"""Sends values of all variants with openapi-python-client's client."""

import sys
from datetime import datetime

from unions_client.api.unions import (
    unions_beside,
    unions_choice,
    unions_fields,
    unions_kinds,
    unions_nested,
    unions_numbered,
    unions_open,
    unions_tagged,
    unions_untagged,
)
from unions_client.client import Client
from unions_client.models import (
    BesideRequest,
    ChoiceRequest,
    FieldsRequest,
    Found,
    FoundStatus,
    IntentLost,
    IntentPaid,
    IntentRefunded,
    KindsRequest,
    Lost,
    Missing,
    Near,
    NestedRequest,
    NumberedRequest,
    OpenEventUnknownVariant,
    OpenRequest,
    Paid,
    Parcel,
    ParcelByName,
    Payment,
    PayeeCard,
    PayeeIban,
    Shipped,
    ShippedKind,
    SoldOutError,
    TaggedRequest,
    UntaggedRequest,
    Within,
)

client = Client(base_url=sys.argv[1])

at = datetime.fromisoformat("2026-01-31T12:00:00+00:00")
paid = Paid(kind="paid", amount="5")
shipped = Shipped(kind=ShippedKind.SHIPPED, at=at, carrier="us")
delivered = Shipped(kind=ShippedKind.DELIVERED, at=at)
refunded = OpenEventUnknownVariant(kind="refunded")
refunded["reason"] = "late"
by_name = ParcelByName()
by_name["a"] = shipped

# Objects of a generated class are equal if their class and their fields are.
cases = [
    (unions_tagged, TaggedRequest, [paid, shipped, delivered]),
    (unions_nested, NestedRequest, [paid, delivered, Lost(kind="lost")]),
    (unions_open, OpenRequest, [paid, delivered, refunded]),
    (
        unions_numbered,
        NumberedRequest,
        [
            Found(status=FoundStatus(200), name="a"),
            Found(status=FoundStatus(201), name="b"),
            Missing(status=404),
        ],
    ),
    (
        unions_untagged,
        UntaggedRequest,
        [Near(city="a", radius=0.5), Within(city="a")],
    ),
    (
        unions_kinds,
        KindsRequest,
        ["a", ["a", "b"], Near(city="a", radius=0.5)],
    ),
    (
        unions_beside,
        BesideRequest,
        [
            IntentPaid(id=1, code="paid", data=Payment(amount="5")),
            IntentRefunded(id=1, code="refunded", data=Payment(amount="5")),
            IntentLost(id=1, code="lost"),
        ],
    ),
    (unions_choice, ChoiceRequest, [PayeeCard(card="1"), PayeeIban(iban="2")]),
    (
        unions_fields,
        FieldsRequest,
        [
            Parcel(events=[paid, delivered], by_name=by_name, next_=None),
            Parcel(
                events=[], by_name=ParcelByName(), last=paid, next_=delivered
            ),
        ],
    ),
]

for method, request, values in cases:
    for value in values:
        got = method.sync(client=client, body=request(value=value)).value
        assert got == value, f"expected {value}, got {got}"

sold_out = TaggedRequest(value=Paid(kind="paid", amount="0"))
error = unions_tagged.sync(client=client, body=sold_out)
assert isinstance(error, SoldOutError), error
assert error.data.left == 3, error
