from acme_shop import ShopClient
from acme_shop.errors import BookNotFoundError


def find_titles(url: str, token: str, isbns: list[str]) -> list[str | None]:
    titles: list[str | None] = []
    with ShopClient(url, credentials={"token": token}) as client:
        for isbn in isbns:
            try:
                titles.append(client.shop.get_book(isbn=isbn).book.title)
            except BookNotFoundError:
                titles.append(None)
    return titles
