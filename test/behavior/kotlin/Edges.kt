// Checks what no case of the kit shows. Prints the names of those that fail.
package conformance

import com.sun.net.httpserver.HttpServer
import conformance.ridl.*
import java.io.EOFException
import java.io.IOException
import java.io.InputStream
import java.math.BigInteger
import java.net.InetSocketAddress
import java.time.Duration
import java.util.concurrent.CompletableFuture
import java.util.concurrent.LinkedBlockingQueue
import java.util.concurrent.TimeUnit
import java.util.concurrent.atomic.AtomicInteger
import kotlin.coroutines.CoroutineContext
import kotlin.coroutines.cancellation.CancellationException
import kotlinx.coroutines.CoroutineDispatcher
import kotlinx.coroutines.CoroutineScope
import kotlinx.coroutines.Runnable
import kotlinx.coroutines.awaitCancellation
import kotlinx.coroutines.flow.first
import kotlinx.coroutines.launch
import kotlinx.coroutines.runBlocking
import kotlinx.coroutines.withTimeout
import kotlinx.serialization.json.JsonPrimitive
import okhttp3.Cookie
import okhttp3.CookieJar
import okhttp3.Headers.Companion.headersOf
import okhttp3.HttpUrl
import okhttp3.MediaType.Companion.toMediaType
import okhttp3.OkHttpClient
import okhttp3.Protocol
import okhttp3.Response
import okhttp3.ResponseBody
import okio.Buffer
import okio.BufferedSource
import okio.ForwardingSource
import okio.buffer

/** A body that tells which thread closes it. */
private class Body(text: String, private val type: String) : ResponseBody() {
    private val closing = CompletableFuture<Thread>()
    private val source =
        object : ForwardingSource(Buffer().writeUtf8(text)) {
            override fun close() {
                closing.complete(Thread.currentThread())
                super.close()
            }
        }.buffer()

    val closer: Thread get() = closing.get(5, TimeUnit.SECONDS)

    override fun contentType() = type.toMediaType()
    override fun contentLength() = -1L
    override fun source(): BufferedSource = source
}

/** Returns a client whose requests get one response. */
private fun clientOf(body: Body, status: Int = 200, options: Options = Options(), vararg headers: String): ConformanceClient {
    val http = OkHttpClient
        .Builder()
        .addInterceptor { chain ->
            Response
                .Builder()
                .request(chain.request())
                .protocol(Protocol.HTTP_1_1)
                .code(status)
                .message("")
                .headers(headersOf("Content-Type", "${body.contentType()}", *headers))
                .body(body)
                .build()
        }.build()
    return ConformanceClient("http://localhost", options = options, http = http)
}

private fun errorOf(call: suspend () -> Unit): Throwable? = runBlocking { runCatching { call() }.exceptionOrNull() }

/** Returns the cookies of the requests that a call makes, each of which gets an error. */
private fun requestsOf(http: OkHttpClient, handle: () -> Unit): List<String?> {
    val server = HttpServer.create(InetSocketAddress("localhost", 0), 0)
    val cookies = mutableListOf<String?>()
    server.createContext("/") { exchange ->
        cookies += exchange.requestHeaders.getFirst("Cookie")
        handle()
        exchange.sendResponseHeaders(418, -1)
        exchange.close()
    }
    server.start()
    val credentials = Credentials(session = { "s" })
    val options = Options(timeout = Duration.ofSeconds(30))
    val client = ConformanceClient("http://localhost:${server.address.port}", credentials, options, http)
    val error = errorOf { client.keys.readSession(1) }
    server.stop(0)
    check(error is RpcException && error.status == 418) { "$error" }
    return cookies
}

/** Sends a file as a body and in a form. Returns how many requests a server receives whole, and how many calls it ends. */
private fun sent(file: Upload): Pair<Int, Int> {
    val server = HttpServer.create(InetSocketAddress("localhost", 0), 0)
    val whole = AtomicInteger()
    server.createContext("/") { exchange ->
        exchange.requestBody.readAllBytes()
        whole.incrementAndGet()
        exchange.sendResponseHeaders(418, -1)
        exchange.close()
    }
    server.start()
    val uploads = ConformanceClient("http://localhost:${server.address.port}", options = Options(retry = null)).uploads
    val errors = listOf(
        errorOf { uploads.store(id = "a", content = file) },
        errorOf { uploads.attach(id = "a", paper = file) },
    )
    server.stop(0)
    return whole.get() to errors.count { (it as? RpcException)?.status == 418 }
}

/** A dispatcher whose tasks wait until a check runs them. */
private class Slow : CoroutineDispatcher() {
    private val tasks = LinkedBlockingQueue<Runnable>()

    override fun dispatch(context: CoroutineContext, block: Runnable) = tasks.put(block)
    fun take(): Runnable = checkNotNull(tasks.poll(5, TimeUnit.SECONDS))
}

/** A union of integers of any size and booleans. */
private val amount = object : UnionType<Any>() {
    override val variants = listOf(
        Variant(Scalars.bigint, kinds = setOf("string"), wrap = { it }, unwrap = { it as BigInteger }),
        Variant(Scalars.bool, kinds = setOf("boolean"), wrap = { it }, unwrap = { it as Boolean }),
    )

    override fun indexOf(value: Any) = if (value is BigInteger) 0 else 1
}

private const val FILE = "application/octet-stream"
private const val LINES = "application/x-ndjson;end=1"

private val checks: Map<String, () -> Boolean> = mapOf(
    "closes a stream in another thread" to {
        val body = Body("{\"n\":1}\n", LINES)
        runBlocking { clientOf(body).lines.endless().first() }
        body.closer != Thread.currentThread()
    },
    "closes a download in another thread" to {
        val body = Body("text", FILE)
        runBlocking { clientOf(body).uploads.download("a").close() }
        body.closer != Thread.currentThread()
    },
    "closes a response that its caller no longer wants" to {
        val body = Body("text", FILE)
        val slow = Slow()
        val waits = CompletableFuture<Unit>()
        val client = clientOf(body, 200, Options(onResponse = { waits.get() }))
        val job = CoroutineScope(slow).launch { client.uploads.download("a") }
        slow.take().run()
        waits.complete(Unit)
        val resume = slow.take()
        job.cancel()
        resume.run()
        body.closer != Thread.currentThread()
    },
    "refuses a response that is nested too deep" to {
        val error = errorOf { clientOf(Body("[".repeat(100_000), "application/json")).echo.any(JSON) }
        error is TransportException && error.reason == TransportReason.BAD_RESPONSE
    },
    "reads 200 levels" to {
        val json = parseJson("[".repeat(201) + "]".repeat(201))
        runCatching { parseJson("[".repeat(202) + "]".repeat(202)) }.isFailure && json.toString().length == 402
    },
    "reads the status of an error that is nested too deep" to {
        val error = errorOf { clientOf(Body("[".repeat(100_000), "application/json"), 503).echo.any(JSON) }
        error is RpcException && error.status == 503
    },
    "reads long names of files" to {
        val name = "a".repeat(20_000)
        val client = clientOf(Body("", FILE), 200, Options(), "Content-Disposition", "attachment; filename=\"$name\\\"\"")
        runBlocking { client.uploads.download("a").name } == "$name\""
    },
    "checks long URLs" to {
        Limits.uri().faultOf(Scalars.string, "https://a.example/" + "a%20".repeat(50_000)) == null &&
            Limits.uri().faultOf(Scalars.string, "https://a&-:b'@a.example:80/?a=[]") != null &&
            Limits.uri().faultOf(Scalars.string, "https://a&-:b'@a.example:80/?a=&'(b)#c") == null
    },
    "refuses text that is too long for a pattern" to {
        val pattern = "^(?:a|b)*$"
        val fault = Limits.pattern(pattern, pattern).faultOf(Scalars.string, "ab".repeat(100_000))
        fault != null && Limits.pattern(pattern, pattern).faultOf(Scalars.string, "abab") == null
    },
    "checks patterns with scripts" to {
        val greek = Limits.pattern("^\\p{Script=Greek}+$", "^\\p{Greek}+$")
        greek.faultOf(Scalars.string, "αβ") == null && greek.faultOf(Scalars.string, "ab") != null
    },
    "receives responses of any size" to {
        val body = Body("{\"value\":[]}", "application/json")
        errorOf { clientOf(body, 200, Options(maxResponseBytes = Long.MAX_VALUE)).echo.any(JSON) } == null
    },
    "asks once for an answer that is too large" to {
        var count = 0
        val options = Options(maxResponseBytes = 6, onResponse = { count += 1 })
        val error = errorOf { clientOf(Body("{\"n\":1}", "application/json"), 200, options).repeats.pay(n = 1) }
        error is TransportException && error.reason == TransportReason.BAD_RESPONSE && count == 1
    },
    "waits as long as the timeout" to {
        val http = OkHttpClient.Builder().readTimeout(Duration.ofMillis(50)).build()
        requestsOf(http) { Thread.sleep(400) }.size == 1
    },
    "refuses webhooks that are not UTF-8" to {
        val events = mapOf("Sold" to Scalars.string)
        val receive = { body: ByteArray -> receiveWebhook(events, emptyList(), body, emptyMap(), null, Duration.ZERO) }
        val quote = '"'.code.toByte()
        val error = runCatching { receive(byteArrayOf(quote, -1, quote)) }.exceptionOrNull()
        error is RpcException && error.failure.detail == "body is not UTF-8" && receive("\"é\"".encodeToByteArray()).message == "é"
    },
    "adds cookies to those of OkHttp" to {
        val jar = object : CookieJar {
            override fun loadForRequest(url: HttpUrl) = listOf(checkNotNull(Cookie.parse(url, "a=b")))
            override fun saveFromResponse(url: HttpUrl, cookies: List<Cookie>) = Unit
        }
        requestsOf(OkHttpClient.Builder().cookieJar(jar).build()) {} == listOf("sid=s; a=b")
    },
    "refuses keys that are the same" to {
        val type = MapType(Scalars.int64, Scalars.string)
        val read = { text: String -> runCatching { type.read(parseJson(text)) } }
        read("{\"1\":\"a\",\"1.0\":\"b\"}").isFailure && read("{\"1\":\"a\",\"2\":\"b\"}").isSuccess
    },
    "refuses offsets beyond a day" to {
        val read = { offset: String -> runCatching { Scalars.timestamp.read(JsonPrimitive("2026-01-01T00:00:00$offset")) } }
        read("+99:00").isFailure && read("+24:00").isFailure && read("-23:59").isSuccess
    },
    "accepts any maximum of delays" to {
        Retry(maxBackoff = Duration.ofSeconds(Long.MAX_VALUE)).backoffAfter(1) in 100..200
    },
    "reads a bigint of a union that is a number" to {
        val read = { text: String -> amount.read(parseJson(text)) }
        read("5") == 5.toBigInteger() && read("\"5\"") == 5.toBigInteger() && read("true") == true
    },
    "limits files by the timeout of the call" to {
        var limit = 0L
        val http = OkHttpClient.Builder().addInterceptor { chain ->
            limit = chain.call().timeout().timeoutNanos()
            chain.proceed(chain.request())
        }
        val options = Options(timeout = Duration.ofMinutes(9), retry = Retry(attempts = 1, attemptTimeout = Duration.ofSeconds(30)))
        val rpc = Rpc("http://localhost:1", http.build(), Errors(emptyList()), null, emptyMap(), options)
        val method = Method("A.Read", "/read", arguments(), Scalars.file, isSafe = true)
        val error = errorOf { rpc.download(method, arrayOf()) }
        error is TransportException && limit > Duration.ofMinutes(8).toNanos()
    },
    "survives a credential that runs out of time" to {
        val credentials = Credentials(apiKey = { withTimeout(1) { awaitCancellation() } })
        val client = ConformanceClient("http://localhost", credentials)
        val error = errorOf { client.keys.readKeyed("a") }
        error is IllegalStateException && error !is CancellationException
    },
    "refuses half of a pair in a form with files" to {
        val client = clientOf(Body("{}", "application/json"))
        errorOf { client.uploads.attach(id = "a", title = "\uD800", paper = Upload(ByteArray(1))) } is InvalidRequestException
    },
    "sends only files that have their length" to {
        val upload = { length: Int, size: Int -> Upload("a", FILE, length.toLong()) { ByteArray(size).inputStream() } }
        val whole = listOf(0 to 0, 1 to 1, 8192 to 8192, -1 to 9).map { (length, size) -> sent(upload(length, size)) }
        val wrong = listOf(0 to 1, 1 to 0, 8192 to 8191, 8192 to 16384).map { (length, size) -> sent(upload(length, size)) }
        whole.all { it == 2 to 2 } && wrong.all { it == 0 to 0 }
    },
    "keeps why a file broke off" to {
        val broken = EOFException("the connection broke")
        val content = object : InputStream() {
            override fun read(): Int = throw broken
        }
        val error = runCatching { Upload("a", FILE, 9) { content }.toRequestBody().writeTo(Buffer()) }.exceptionOrNull()
        error is IOException && error.cause === broken
    },
    "reads no code that is too large" to {
        val type = object : StructType<Any>("Body") {
            override val fields = emptyList<Field>()
            override fun create(values: Values): Any = this
            override fun split(value: Any) = emptyArray<Any?>()
        }
        val body = ErrorBody(type, listOf(ErrorPart("code", listOf("code"))), emptyList())
        val code = { text: String -> body.read(parseJson(text), 418, emptyMap(), { null }, false)?.code }
        code("{\"code\":4294967297}") == 0 && code("{\"code\":-5000000}") == -5000000
    },
    "refuses codings of files and streams" to {
        val refused = { call: suspend () -> Unit -> (errorOf(call) as? TransportException)?.reason == TransportReason.BAD_RESPONSE }
        val file = clientOf(Body("text", FILE), 200, Options(), "Content-Encoding", "br")
        val lines = clientOf(Body("{\"n\":1}\n", LINES), 200, Options(), "Content-Encoding", "br")
        refused { file.uploads.download("a") } && refused { lines.lines.endless().first() }
    },
)

private val JSON = parseJson("[]")

fun main() {
    for ((name, check) in checks) {
        val result = runCatching { check() }
        if (result.getOrNull() != true) println("$name: ${result.exceptionOrNull() ?: "no"}")
    }
    System.out.flush()
    Runtime.getRuntime().halt(0)
}
