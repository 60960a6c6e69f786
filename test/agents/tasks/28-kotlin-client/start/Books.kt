/** Returns the title of each book, or null if there is no such book. The token is the user's. */
suspend fun findTitles(url: String, token: String, isbns: List<String>): List<String?> = TODO()

/** Returns the first titles of the list. */
suspend fun firstTitles(url: String, count: Int): List<String> = TODO()

/** Waits until the price of a book is at most a limit, and returns it. Null if there is no such book. */
suspend fun waitForPrice(url: String, isbn: String, limit: Long): Long? = TODO()
