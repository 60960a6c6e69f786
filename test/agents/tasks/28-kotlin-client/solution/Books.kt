import com.acme.shop.BookNotFoundException
import com.acme.shop.Credentials
import com.acme.shop.ShopClient
import kotlinx.coroutines.flow.first
import kotlinx.coroutines.flow.take
import kotlinx.coroutines.flow.toList
import kotlinx.coroutines.flow.transform

/** Returns the title of each book, or null if there is no such book. The token is the user's. */
suspend fun findTitles(url: String, token: String, isbns: List<String>): List<String?> {
    val client = ShopClient(url, Credentials(token = { token }))
    return isbns.map { isbn ->
        try {
            client.shop.getBook(isbn = isbn).book.title
        } catch (_: BookNotFoundException) {
            null
        }
    }
}

/** Returns the first titles of the list. */
suspend fun firstTitles(url: String, count: Int): List<String> =
    ShopClient(url)
        .shop
        .listTitlesPages()
        .transform { page -> page.titles.forEach { emit(it) } }
        .take(count)
        .toList()

/** Waits until the price of a book is at most a limit, and returns it. Null if there is no such book. */
suspend fun waitForPrice(url: String, isbn: String, limit: Long): Long? =
    try {
        ShopClient(url).shop.watchPrices(isbn = isbn).first { it.cents <= limit }.cents
    } catch (_: BookNotFoundException) {
        null
    }
