// Requests in threads that may block, and what OkHttp must not do by itself.
package ridl

import java.io.Closeable
import java.io.IOException
import java.io.InterruptedIOException
import java.time.Duration
import java.util.zip.DataFormatException
import kotlin.coroutines.resumeWithException
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.ExperimentalCoroutinesApi
import kotlinx.coroutines.asExecutor
import kotlinx.coroutines.suspendCancellableCoroutine
import okhttp3.Call
import okhttp3.OkHttpClient
import okhttp3.Request
import okhttp3.Response

/** Each call and each stream blocks a thread while it waits. `Dispatchers.IO` alone has 64. */
internal val blocking = Dispatchers.IO.limitedParallelism(4096)

/**
 * Blocks a thread without blocking the coroutine. Cancelling it closes the connection. Throws a [TransportException] for a
 * failure of OkHttp, whose usual reason is [lost].
 */
@OptIn(ExperimentalCoroutinesApi::class)
internal suspend fun <T> Call.io(lost: TransportReason, act: Call.() -> T): T = suspendCancellableCoroutine { continuation ->
    continuation.invokeOnCancellation { cancel() }
    blocking.asExecutor().execute {
        try {
            continuation.resume(act()) { _, value, _ -> (value as? Closeable)?.close() }
        } catch (failure: Throwable) {
            continuation.resumeWithException(if (failure is IOException) transportFailure(lost, failure) else failure)
        }
    }
}

private fun transportFailure(lost: TransportReason, cause: IOException): TransportException {
    val isNetwork = lost == TransportReason.NETWORK
    // Another attempt would get the same bytes.
    val isDamaged = cause.cause is DataFormatException || "!= expected 0x" in cause.message.orEmpty()
    val reason = when {
        isNetwork && isDamaged -> TransportReason.BAD_RESPONSE
        isNetwork && cause is InterruptedIOException -> TransportReason.TIMEOUT
        else -> lost
    }
    return transportError(reason, cause.message, cause = cause)
}

/** Uses the client of OkHttp that a program gives, or one of its own. */
internal class Connections(given: OkHttpClient?) {
    private val isOwn = given == null
    private val usual = (given ?: defaultHttp()).forCalls()

    /** Files can take long on both sides, and calls with a timeout and silence in streams are limited on their own. */
    private val patient by lazy { usual.newBuilder().readTimeout(Duration.ZERO).build() }

    fun clientFor(isLimited: Boolean, isUpload: Boolean): OkHttpClient = if (isLimited || isOwn && isUpload) patient else usual
}

private const val SAVED = "Ridl-Retry-After"

/**
 * Returns a client that does not follow redirects and leaves repeating requests to [Retry]. OkHttp sends requests again
 * after 408 and 503, unless `Retry-After` names a delay.
 */
private fun OkHttpClient.forCalls(): OkHttpClient = newBuilder()
    .followRedirects(false)
    .addInterceptor { chain ->
        val response = chain.proceed(chain.request())
        val saved = response.header(SAVED) ?: return@addInterceptor response
        val restored = response.newBuilder().removeHeader(SAVED).removeHeader("Retry-After")
        if (saved != "") restored.header("Retry-After", saved)
        restored.build()
    }.addNetworkInterceptor { chain ->
        val response = chain.proceed(withCookies(chain.request(), chain.call().request().header("Cookie")))
        if (response.code != 408 && response.code != 503) return@addNetworkInterceptor response
        val saved = response.header("Retry-After").orEmpty()
        response.newBuilder().header(SAVED, saved).header("Retry-After", "1").build()
    }.build()

/** Restores cookies of a call, which OkHttp replaces if it has others for the address. */
private fun withCookies(request: Request, own: String?): Request {
    val sent = request.header("Cookie").orEmpty()
    return if (own == null || own in sent) request else request.newBuilder().header("Cookie", "$own; $sent").build()
}

/** Creates the client of programs that give none. */
private fun defaultHttp(): OkHttpClient = OkHttpClient
    .Builder()
    .connectTimeout(Duration.ofSeconds(5))
    .readTimeout(Duration.ofSeconds(60))
    .writeTimeout(Duration.ofSeconds(60))
    .build()

/** Returns the values of headers. Several headers of the same name are one list. */
internal fun Response.textHeaders(): (String) -> String? = { name -> headers(name).ifEmpty { null }?.joinToString(", ") }
