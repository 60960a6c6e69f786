"""Calls the platform as `npm start` starts it, and receives its webhooks."""

from __future__ import annotations

import asyncio
import json
import os
import queue
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import httpx
import pytest
from web3_platform import (
    ApiClient,
    AsyncApiClient,
    Credentials,
    IndexerClient,
    MarketplaceClient,
    MetadataClient,
    RelayerClient,
    Retry,
    RpcError,
    TransportError,
    errors,
    rpc_errors,
    types,
    webhooks,
)

READY: dict[str, Any] = json.loads(os.environ.get("READY", "{}"))
URL: str = READY.get("baseUrl", "")
PROJECT: int = READY.get("projectId", 0)
FIXTURES: dict[str, Any] = READY.get("fixtures", {})
KEYS: Credentials = {"access_key": READY.get("accessKey", ""), "secret": READY.get("secret", "")}
LIST = types.ListAudiencesRequest(project_id=PROJECT)


def test_builder() -> None:
    with ApiClient(URL, credentials=KEYS, check_responses=True) as client:
        (audience,) = client.builder.list_audiences(LIST).audiences
        # The ID of a contact needs all 64 bits.
        request = types.RemoveAudienceContactsRequest(
            project_id=PROJECT, audience_id=audience.id, contact_ids=[2**64 - 1]
        )
        assert client.builder.remove_audience_contacts(request).ok is True
        (again,) = client.builder.list_audiences(LIST).audiences
        assert (again.id, again.contact_count) == (audience.id, audience.contact_count - 1)


def test_errors() -> None:
    with ApiClient(URL, credentials=KEYS) as client:
        with pytest.raises(errors.NotFoundError) as missing:
            client.builder.delete_audience(types.DeleteAudienceRequest(project_id=PROJECT, audience_id=2**31))
        assert (missing.value.code, missing.value.status) == (3000, 400)
        with pytest.raises(errors.PermissionDeniedError):
            client.builder.list_audiences(types.ListAudiencesRequest(project_id=PROJECT + 1))
    with ApiClient(URL) as anonymous, pytest.raises(errors.AccessKeyNotFoundError) as unknown:
        anonymous.builder.list_audiences(LIST)
    assert (unknown.value.code, unknown.value.status) == (1101, 401)
    # This service needs a secret, too.
    key: Credentials = {"access_key": READY["accessKey"]}
    with RelayerClient(URL, credentials=key) as relayer, pytest.raises(errors.PermissionDeniedError):
        relayer.relayer.add_gas_sponsor(types.AddGasSponsorRequest(project_id=PROJECT, address=FIXTURES["other"]))
    with ApiClient(URL + "/elsewhere", credentials=KEYS) as lost, pytest.raises(rpc_errors.WebrpcBadRouteError):
        lost.builder.list_audiences(LIST)
    with ApiClient("http://127.0.0.1:1", retry=Retry(backoff=0)) as absent, pytest.raises(TransportError) as refused:
        absent.builder.list_audiences(LIST)
    assert refused.value.reason == "network"


def test_rpc_and_rest_agree() -> None:
    address = FIXTURES["collectible"]
    chain = str(READY["chainId"])
    with MetadataClient(URL, credentials=KEYS, parameters={"network": READY["network"]}, check_responses=True) as client:
        request = types.GetContractInfoRequest(chain_id=chain, contract_address=address)
        info = client.metadata.get_contract_info(request).contract_info
        assert (info.type, info.chain_id) == ("ERC721", READY["chainId"])
        read = types.ReadContractInfoRequest(network=READY["network"], contract_address=address)
        assert client.tokens.read_contract_info(read).contract_info == info
        ids = FIXTURES["tokenIds"]["collectible"]
        tokens = client.metadata.get_token_metadata(
            types.GetTokenMetadataRequest(chain_id=chain, contract_address=address, token_ids=ids)
        ).token_metadata
        assert [token.token_id for token in tokens] == ids
        same = types.ReadTokenMetadataRequest(network=READY["network"], contract_address=address, token_ids=ids)
        assert client.tokens.read_token_metadata(same).token_metadata == tokens
        none = types.ReadContractInfoRequest(network=READY["network"], contract_address="0x" + "1" * 40)
        with pytest.raises(errors.NotFoundError):
            client.tokens.read_contract_info(none)


def test_marketplace() -> None:
    with MarketplaceClient(URL, credentials=KEYS, parameters={"network": READY["network"]}) as client:
        order = types.OrderRef(contract_address=FIXTURES["collectible"], order_id=FIXTURES["listing"])
        (listing,) = client.marketplace.get_orders(types.GetOrdersRequest(input=[order])).orders
        assert (listing.order_id, listing.side, listing.status) == (FIXTURES["listing"], "listing", "active")


def test_relayer() -> None:
    with RelayerClient(URL, credentials=KEYS, check_responses=True) as client:
        request = types.AddGasSponsorRequest(project_id=PROJECT, address=FIXTURES["other"], name="日本 \U0001f600")
        sponsor = client.relayer.add_gas_sponsor(request).gas_sponsor
        assert (sponsor.name, sponsor.active, sponsor.deleted_at) == ("日本 \U0001f600", True, None)
        assert sponsor.created_at.tzinfo is not None
        assert sponsor.created_at <= sponsor.updated_at


def test_asynchronous_calls() -> None:
    async def run() -> list[types.ListAudiencesResponse]:
        async with AsyncApiClient(URL, credentials=KEYS) as client:
            with pytest.raises(errors.QueryFailedError):
                await client.api.get_swap_price(
                    types.GetSwapPriceRequest(
                        buy_currency_address=FIXTURES["collectible"],
                        sell_currency_address=FIXTURES["dollar"],
                        buy_amount="1",
                        chain_id=READY["chainId"],
                    )
                )
            return await asyncio.gather(*[client.builder.list_audiences(LIST) for _ in range(8)])

    assert len(asyncio.run(run())) == 8


def test_threads_share_a_client() -> None:
    with ApiClient(URL, credentials=KEYS) as client, ThreadPoolExecutor(8) as pool:
        found = list(pool.map(lambda _: client.builder.list_audiences(LIST).audiences[0].id, range(32)))
    assert len(set(found)) == 1


Received = webhooks.IndexerWebhookEvent | RpcError


@contextmanager
def receiver(secret: str) -> Iterator[tuple[str, queue.Queue[Received]]]:
    """Receives webhooks. Returns its address and what it receives."""
    received: queue.Queue[Received] = queue.Queue()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["content-length"]))
            status, answer = 200, b"{}"
            try:
                received.put(webhooks.receive_indexer_webhook(body, dict(self.headers), secrets=[secret]))
            except RpcError as error:
                status, answer = error.status, json.dumps(error.envelope()).encode()
                received.put(error)
            self.send_response(status)
            self.send_header("content-type", "application/json")
            self.send_header("content-length", str(len(answer)))
            self.end_headers()
            self.wfile.write(answer)

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}/hooks", received
        server.shutdown()


def test_webhooks() -> None:
    with receiver(READY["webhookSecret"]) as (url, received), IndexerClient(URL, credentials=KEYS) as client:
        transfer: types.TokenEvent = "Transfer(address indexed from, address indexed to, uint256 value)"
        selected = types.WebhookFilter(
            contract_addresses=[FIXTURES["dollar"]], events=[transfer], accounts=[FIXTURES["other"]]
        )
        request = types.AddWebhookListenerRequest(url=url, filters=selected)
        listener = client.indexer.add_webhook_listener(request).listener
        # Pays 3 dollars to the account.
        transaction = httpx.post(os.environ["PAY"], timeout=60).text
        event = received.get(timeout=60)
        assert not isinstance(event, RpcError)
        assert (event.name, event.message.txn_hash) == ("Notify", transaction)
        assert event.message.event.names == ["from", "to", "value"]
        remove = types.RemoveWebhookListenerRequest(id=listener.id, project_id=str(PROJECT))
        client.indexer.remove_webhook_listener(remove)
        with pytest.raises(errors.NotFoundError):
            client.indexer.remove_webhook_listener(remove.model_copy(update={"id": str(int(listener.id) + 1)}))
