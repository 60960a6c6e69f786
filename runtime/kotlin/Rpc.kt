// Calls, and attempts to repeat them.
package ridl

import java.security.SecureRandom
import java.time.Duration
import java.util.concurrent.TimeUnit
import kotlin.coroutines.cancellation.CancellationException
import kotlin.math.max
import kotlin.math.min
import kotlinx.coroutines.*
import kotlinx.coroutines.flow.Flow
import kotlinx.coroutines.flow.flow
import kotlinx.serialization.json.*
import okhttp3.Call
import okhttp3.HttpUrl.Companion.toHttpUrlOrNull
import okhttp3.OkHttpClient
import okhttp3.Request
import okhttp3.Response
import okio.ByteString.Companion.toByteString

/** A stream is lost after as long without data. Servers send data at least every 10 seconds. */
internal const val SILENCE = 15_000L

/** The minimum time between two requests for the answer of a running call. */
private const val MIN_POLL = 100L

/** The time in place of no limit, which can be added to another one. */
private val forever = Duration.ofDays(36_500)

internal fun millis(duration: Duration?): Long = minOf(duration ?: forever, forever).toMillis()

internal fun nowMillis(): Long = System.nanoTime() / 1_000_000

/** A response, and the text and the JSON of its body unless it is still open. */
internal class Answer(val call: Call, val response: Response, val text: String = "", val json: JsonElement = JsonNull) {
    /** Ends a call whose response may be open. Closing a response can first read its rest, which blocks. */
    fun drop() {
        call.cancel()
        blocking.asExecutor().execute(response::close)
    }
}

/** Calls the methods of a host. */
internal class Rpc(
    private val baseUrl: String,
    http: OkHttpClient?,
    private val errors: Errors,
    private val contract: String?,
    private val credentials: Map<String, CredentialSource?>,
    private val options: Options,
    private val connections: Connections = Connections(http),
) {
    fun withOptions(change: (Options) -> Options) = Rpc(baseUrl, null, errors, contract, credentials, change(options), connections)

    suspend fun <Q : Any, A : Any> call(method: Method<Q, A>, request: Q): A = answer(method, method.convert(request)).second

    suspend fun <Q : Any> download(method: Method<Q, *>, request: Q): Download =
        Download(unwrapped { respond(method, method.convert(request), method.timeout(options.timeout), "") })

    /** Opens a stream when it is collected, and again if it is lost. */
    fun <Q : Any, A : Any> stream(method: Method<Q, A>, request: Q): Flow<A> = flow {
        val given = method.convert(request)
        val reconnect = options.reconnect ?: Reconnect(attempts = 0)
        var failures = 0
        var last: JsonElement? = null
        while (true) {
            val begun = nowMillis()
            var items: Items<A>? = null
            try {
                while (true) {
                    // Errors of the collector are not those of the connection.
                    val item = try {
                        items = items ?: open(method, method.resumed(given, last))
                        items.next() ?: return@flow
                    } catch (failure: CallbackFailure) {
                        throw failure.cause
                    } catch (error: RpcException) {
                        // An attempt that could not connect does not count, however long it took.
                        if (error.isStreamLost && nowMillis() - begun > millis(reconnect.maxDelay)) failures = 0
                        val wait = reconnect.delay(failures, error)
                        items?.close()
                        delay(wait)
                        failures += 1
                        break
                    }
                    failures = 0
                    last = items.last
                    emit(item)
                }
            } finally {
                items?.close()
            }
        }
    }

    /** Calls a method for one page after the other. */
    fun <Q : Any, A : Any> pages(method: Method<Q, A>, request: Q): Flow<A> = flow {
        val paging = checkNotNull(method.paging)
        var given = method.convert(request)
        val read = mutableSetOf<Any?>()
        while (true) {
            val asked = paging.pageOf(given)
            read += paging.key(asked)
            val (json, response) = answer(method, given)
            emit(response)
            val page = paging.next(json, asked) ?: return@flow
            if (paging.key(page) in read) {
                throw transportError(TransportReason.BAD_RESPONSE, "the next page was already read", 200)
            }
            given = paging.at(given, page)
        }
    }

    private suspend fun <A : Any> answer(method: Method<*, A>, given: Given): Pair<JsonElement, A> {
        val answer = unwrapped { respond(method, given, method.timeout(options.timeout), null) }
        return answer.json to method.read(answer.json, answer.text, answer.response.code, options.checkResponses)
    }

    private suspend fun <A : Any> open(method: Method<*, A>, given: Given): Items<A> {
        val answer = respond(method, given, options.timeout?.let(::millis) ?: SILENCE, method.streamType)
        return Items(method, answer, errors, options.checkResponses)
    }

    /** Sends a request, off the main thread. [opens] is what the type of a response contains that stays open, or null. */
    private suspend fun respond(method: Method<*, *>, given: Given, timeout: Long, opens: String?): Answer {
        val message = method.write(given, options.parameters)
        val key = if (method.hasKey) quoteKey(options.idempotencyKey ?: randomKey()) else null
        var answer: Answer? = null
        try {
            // The clock of a test's dispatcher does not measure how long a server takes.
            return withContext(blocking) { repeat(method, message, key, nowMillis() + timeout, opens).also { answer = it } }
        } catch (failure: Throwable) {
            // The caller can be cancelled before it gets the answer.
            answer?.drop()
            throw failure
        }
    }

    /** Repeats a request until an attempt succeeds or no other one is due. */
    private suspend fun repeat(method: Method<*, *>, message: Message, key: String?, end: Long, opens: String?): Answer {
        // Each attempt to reconnect would be repeated.
        val isReconnecting = !opens.isNullOrEmpty() && options.reconnect != null
        val given = options.retry.takeIf { (method.isSafe || method.hasKey) && !isReconnecting }
        val retry = given ?: Retry(attempts = 1)
        var failures = 0
        var attempt = 0
        while (true) {
            attempt += 1
            try {
                val limit = min(end - nowMillis(), millis(retry.attemptTimeout))
                return attempt(method, message, key, limit, end, opens)
            } catch (error: RpcException) {
                val left = end - nowMillis()
                if (given != null && key != null && error.name == "WebrpcRequestFailed" && error.status == 409) {
                    // The first call with the key is still running, so this is not its outcome.
                    val asked = error.failure.retryAfterMillis?.takeIf { it > 0 } ?: retry.backoffAfter(attempt)
                    val wait = min(max(min(asked, millis(retry.maxBackoff)), MIN_POLL), max(left, 0))
                    delay(wait)
                    if (wait >= left) throw transportError(TransportReason.TIMEOUT, "time ran out", cause = error)
                } else {
                    failures += 1
                    delay(retry.delay(failures, error, left, key != null) ?: throw error)
                }
            }
        }
    }

    /** Makes an attempt. The response to a success stays open if its type contains [opens]. */
    private suspend fun attempt(
        method: Method<*, *>,
        message: Message,
        key: String?,
        limit: Long,
        end: Long,
        opens: String?,
    ): Answer {
        // A result that arrives together with the end of the time, or of the caller, is dropped.
        var opened: Answer? = null
        var answer: Answer? = null
        try {
            answer = withTimeoutOrNull(limit) {
                val isLimited = !opens.isNullOrEmpty() || options.timeout != null
                val http = connections.clientFor(isLimited, isUpload = method.hasFiles)
                val call = http.newCall(requestFor(method, message, key, opens))
                // An attempt ends with its headers, and the call with the last part of the file.
                if (opens == "" && options.timeout != null) call.timeout().timeout(max(end - nowMillis(), 1), TimeUnit.MILLISECONDS)
                val response = call.io(TransportReason.NETWORK) { execute() }
                val open = Answer(call, response).also { opened = it }
                calledBack { options.onResponse?.invoke(response) }
                if (response.isSuccessful && opens != null && isStream(response, opens)) {
                    checkEncoding(response)
                    open
                } else {
                    response.use { readAnswer(method, call, it, key, opens) }
                }
            }
        } finally {
            if (answer == null) opened?.drop()
        }
        return answer ?: throw transportError(TransportReason.TIMEOUT)
    }

    private fun isStream(response: Response, opens: String) =
        response.code == 204 || opens in (response.header("Content-Type") ?: opens).lowercase()

    /** Reads the body of a response, or throws the error in it. */
    private suspend fun readAnswer(method: Method<*, *>, call: Call, response: Response, key: String?, opens: String?): Answer {
        val status = response.code
        val isSuccess = response.isSuccessful
        var fault: TransportException? = null
        val text = try {
            readBody(call, response)
        } catch (unreadable: TransportException) {
            // The status and the header of an error matter more than its body.
            if (isSuccess || unreadable.reason != TransportReason.BAD_RESPONSE) throw unreadable
            fault = unreadable
            ""
        }
        val headers = response.textHeaders()
        if (isSuccess && opens == null) return Answer(call, response, text, method.readJson(text, status, headers))
        val known = if (isSuccess) null else errors.read(method, text.removePrefix(BYTE_ORDER_MARK), status, headers)
        val beginning = fault?.failure?.detail ?: if (isSuccess) "not a stream: ${method.beginning(text)}" else method.beginning(text)
        var failure = known ?: transportError(TransportReason.BAD_RESPONSE, beginning, status, fault)
        if (key != null && response.header("Idempotency-State") != null) {
            // The contract, a framework or a proxy can have replaced the body.
            failure = RpcException(builtInFailure("WebrpcRequestFailed", "request failed", "a call with this key is still running", status))
        }
        failure.failure.body = text
        failure.failure.retryAfterMillis = retryAfter(response)
        throw failure
    }

    private suspend fun readBody(call: Call, response: Response): String {
        val most = options.maxResponseBytes
        checkEncoding(response)
        val source = checkNotNull(response.body).source()
        val excess = min(most, Long.MAX_VALUE - 1) + 1
        val bytes = call.io(TransportReason.NETWORK) { if (source.request(excess)) null else source.readByteArray() }
        return bytes?.decodeToString()
            ?: throw transportError(TransportReason.BAD_RESPONSE, "the response has more than $most bytes", response.code)
    }

    private fun checkEncoding(response: Response) {
        val encoding = response.header("Content-Encoding").orEmpty().lowercase()
        // A few bytes of other codings, or of several ones, can expand to gigabytes. OkHttp removes what it decodes.
        if (encoding != "" && encoding != "identity") {
            throw transportError(TransportReason.BAD_RESPONSE, "unexpected content-encoding: $encoding", response.code)
        }
    }

    private suspend fun requestFor(method: Method<*, *>, message: Message, key: String?, opens: String?): Request {
        val given = credentialsFor(method)
        val base = fill(baseUrl, options.parameters).trimEnd('/')
        val url = requireNotNull((base + message.target).toHttpUrlOrNull()) { "baseUrl: expected an http or https URL" }.newBuilder()
        for ((place, value) in given) {
            if (place.startsWith("?")) url.addEncodedQueryParameter(encode(place.drop(1)), encode(value))
        }
        val request = Request.Builder().url(url.build()).tag(MethodName::class.java, MethodName(method.name))
        for ((name, value) in headersFor(method, given, message, key, opens)) request.header(name, value)
        val hasBody = message.verb != "GET" && message.verb != "HEAD"
        val body = if (hasBody) OnceBody(message.body ?: textBody("")) else null
        return request.method(message.verb, body).build()
    }

    private fun headersFor(
        method: Method<*, *>,
        given: Map<String, String>,
        message: Message,
        key: String?,
        opens: String?,
    ): Map<String, String> {
        val headers = LinkedHashMap<String, String>()
        method.accept(!opens.isNullOrEmpty())?.let { headers["accept"] = it }
        key?.let { headers["idempotency-key"] = it }
        contract?.let { headers["webrpc"] = it }
        for ((place, value) in given) if (!place.startsWith("?")) headers[place.lowercase()] = value
        for ((name, value) in options.headers) {
            // Without its own header, a client could not tell a lost stream from one that has ended.
            if (opens.isNullOrEmpty() || !name.equals("accept", ignoreCase = true)) headers[name.lowercase()] = value.trim()
        }
        // An error of OkHttp would quote the value, which can be secret.
        for ((name, value) in headers) if (!value.all { it in ' '..'~' }) refuse("header $name: expected characters that are allowed")
        return headers + message.headers
    }

    /** Returns headers, and parameters of the query after question marks. */
    private suspend fun credentialsFor(method: Method<*, *>): Map<String, String> {
        val given = LinkedHashMap<String, String>()
        for (credential in method.credentials) {
            val value = calledBack { credentials[credential.identifier]?.invoke() }
            if (value.isNullOrEmpty()) continue
            // Spaces are sent as an empty value, which servers reject.
            val text = (credential.prefix + value.trim()).trim()
            given.merge(credential.place, text) { one, other -> if (credential.place == "Cookie") "$one; $other" else other }
        }
        return given
    }
}

/** Contains an error of a function that the program gave, which is no failure of an attempt. */
private class CallbackFailure(override val cause: Exception) : Exception(cause)

private suspend inline fun <T> calledBack(act: () -> T): T = try {
    act()
} catch (failure: CancellationException) {
    currentCoroutineContext().ensureActive()
    // The function ran out of time itself, which must not end the caller.
    throw CallbackFailure(IllegalStateException(failure.message, failure))
} catch (failure: Exception) {
    throw CallbackFailure(failure)
}

private inline fun <T> unwrapped(act: () -> T): T = try {
    act()
} catch (failure: CallbackFailure) {
    throw failure.cause
}

/** The tag of requests that tells interceptors of OkHttp which method is called, e.g. `Shop.GetBook`. */
class MethodName internal constructor(val name: String) {
    override fun toString(): String = name
}

private fun randomKey(): String = ByteArray(32).also(SecureRandom()::nextBytes).toByteString().hex()

private fun quoteKey(key: String): String {
    if (key.length !in 1..255 || !key.all { it in ' '..'~' }) refuse("idempotencyKey: expected 1 to 255 ASCII characters")
    return '"' + key.replace("\\", "\\\\").replace("\"", "\\\"") + '"'
}

/** Reads a number of seconds or a date (RFC 9110, section 10.2.3). */
private fun retryAfter(response: Response): Long? {
    val header = response.header("Retry-After") ?: return null
    if (header.matches(Regex("[0-9]+"))) return header.take(10).toLong() * 1000
    return response.headers.getDate("Retry-After")?.let { max(0, it.time - System.currentTimeMillis()) }
}
