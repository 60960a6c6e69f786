import kotlin.system.exitProcess

/** Calls all functions, and prints what they return. */
suspend fun main(arguments: Array<String>) {
    val (url) = arguments
    println(findTitles(url, "token-of-ada", listOf("1", "0", "2")))
    println(
        try {
            findTitles(url, "other", listOf("1"))
        } catch (error: com.acme.shop.UnauthorizedException) {
            error.status
        },
    )
    println(firstTitles(url, 4))
    println(firstTitles(url, 100).size)
    println(waitForPrice(url, "1", 20))
    println(findTitles(url, "token-of-ada", listOf("3")))
    println(waitForPrice(url, "0", 20))
    // The client keeps idle threads.
    exitProcess(0)
}
