import com.fasterxml.jackson.annotation.JsonInclude
import java.io.File
import java.time.OffsetDateTime
import java.util.Base64
import okhttp3.MediaType.Companion.toMediaType
import okhttp3.OkHttpClient
import okhttp3.Request
import okhttp3.RequestBody.Companion.toRequestBody
import shop.apis.ShopApi
import shop.infrastructure.ApiClient
import shop.infrastructure.ClientError
import shop.infrastructure.ClientException
import shop.infrastructure.Serializer
import shop.models.Color
import shop.models.CountRequest
import shop.models.DownloadRequest
import shop.models.Everything
import shop.models.GetItemRequest
import shop.models.GetItemResponse
import shop.models.Item
import shop.models.UploadRequest

/** Calls the shop with openapi-generator's client for Kotlin. */
fun main(arguments: Array<String>) {
    val address = arguments[0]
    // By default, the client omits required fields that are null.
    Serializer.jacksonObjectMapper.setSerializationInclusion(JsonInclude.Include.ALWAYS)
    val shop = ShopApi(address)
    checkAnswers(shop, address)
    checkErrors(shop)
}

val everything = Everything(
    text = "naïve 商店 🦄",
    secret = "1234",
    password = "5678",
    flag = true,
    small = -128,
    large = 9007199254740991,
    ratio = 0.5,
    total = "123456789012345678901234567890",
    `when` = OffsetDateTime.parse("2026-01-31T11:00:00.5Z"),
    data = Base64.getDecoder().decode("AAECAw=="),
    color = Color.Blue,
    code = "EUR",
    list = listOf("a", "b"),
    counts = mapOf("one" to 1, "two" to 2),
    byColor = mapOf("Red" to Item(1, "SICP", "something new")),
    nothing = null,
    sold = null,
    anything = mapOf("deep" to listOf(1, null)),
)
val both = mapOf("X-Api-Key" to "key", "Authorization" to "Bearer token")

/** Calls a method that needs credentials, which the client keeps globally. */
fun send(shop: ShopApi, headers: Map<String, String>, id: Long): GetItemResponse {
    ApiClient.apiKey.clear()
    ApiClient.accessToken = null
    headers["X-Api-Key"]?.let { ApiClient.apiKey["X-Api-Key"] = it }
    headers["Authorization"]?.let { ApiClient.accessToken = it.removePrefix("Bearer ") }
    return shop.shopGetItem("at", GetItemRequest(id))
}

fun picture(): File = File.createTempFile("picture", ".txt").apply { writeText("content") }

fun checkAnswers(shop: ShopApi, address: String) {
    check(shop.shopPing("at").ok)
    val echoed = shop.shopEcho("at", everything)
    check(echoed.copy(`data` = everything.data) == everything) { "got $echoed" }
    check(echoed.data.contentEquals(everything.data)) { "got other bytes" }
    check(send(shop, both, 2).item.parent?.name == "SICP")
    check(shop.shopGetItems(listOf(1, 2)).map { it.name } == listOf("SICP", "Alien"))
    check(shop.shopUpload("at", UploadRequest("a"), picture()).bytes == 7L)
    check(shop.shopDownload("at", DownloadRequest("a")).readText() == "content")
    // The client reads a response as one value, so a stream is read by hand.
    val body = """{"to":3}""".toRequestBody("application/json".toMediaType())
    val request = Request.Builder().url("$address/at/rpc/Shop/Count").post(body).build()
    val lines = OkHttpClient().newCall(request).execute().body!!.string().trim().lines()
    check(lines.filter { it != "" } == listOf("""{"n":1}""", """{"n":2}""", """{"n":3}"""))
}

/** Checks that a call fails with an error that the client read. */
fun checkError(name: String, status: Int, call: () -> Any) {
    val error = runCatching(call).exceptionOrNull()
    check(error is ClientException) { "expected $name, got $error" }
    val body = (error.response as ClientError<*>).body.toString()
    check(error.statusCode == status && "\"$name\"" in body) { "got ${error.statusCode} $body" }
}

fun checkErrors(shop: ShopApi) {
    checkError("WebrpcBadRoute", 404) { shop.shopPing("zz") }
    checkError("Sold", 409) { shop.shopEcho("at", everything.copy(text = "sold")) }
    checkError("InvalidArgument", 400) { shop.shopEcho("at", everything.copy(text = "x".repeat(21))) }
    checkError("ItemNotFound", 404) { send(shop, both, 404) }
    checkError("Unauthorized", 401) { send(shop, mapOf(), 2) }
    checkError("Forbidden", 403) { send(shop, both - "Authorization", 2) }
    checkError("ItemNotFound", 404) { shop.shopGetItems(listOf(404)) }
    checkError("Sold", 409) { shop.shopCount("at", CountRequest(0)) }
    checkError("Sold", 409) { shop.shopUpload("at", UploadRequest("sold"), picture()) }
    checkError("ItemNotFound", 404) { shop.shopDownload("at", DownloadRequest("none")) }
}
