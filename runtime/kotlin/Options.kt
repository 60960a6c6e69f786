// Options of clients.
package ridl

import java.time.Duration
import kotlin.math.min
import kotlin.random.Random
import okhttp3.Response

/**
 * Repeats failed calls to methods that the contract marks as `@idempotent`, `@readonly` or `@idempotencyKey`.
 *
 * @property attempts The maximum number of attempts, including the first. Requests that wait for a call with the same key
 *   do not count.
 * @property attemptTimeout The time after which an attempt is repeated, although its handler may still be running.
 * @property backoff The time before the second attempt. It doubles with every attempt.
 * @property maxBackoff The maximum delay. If the server asks for a longer one, the call fails.
 * @property jitter The maximum fraction by which a delay is randomly shortened.
 */
class Retry @JvmOverloads constructor(
    val attempts: Int = 3,
    val attemptTimeout: Duration? = null,
    val backoff: Duration = Duration.ofMillis(200),
    val maxBackoff: Duration = Duration.ofSeconds(10),
    val jitter: Double = 0.5,
) {
    /** Returns the milliseconds before the next attempt, or null if there is none. */
    internal fun delay(failures: Int, error: RpcException, left: Long, hasKey: Boolean): Long? {
        // The call has run, and its stored answer may arrive intact. An answer that the client refused, such as one that is too
        // large, has no cause. Without a key, others would get the same bytes.
        val isUnreadable = (error as? TransportException)?.reason == TransportReason.BAD_RESPONSE && error.cause != null
        val isLost = hasKey && error.status < 300 && isUnreadable
        val asked = error.failure.retryAfterMillis
        if (failures >= attempts || !(isPassing(error) || isLost || asked != null)) return null
        val delay = asked ?: backoffAfter(failures)
        return delay.takeUnless { it > millis(maxBackoff) || it >= left }
    }

    /** Returns the milliseconds after an attempt, unless the server asks for others. */
    internal fun backoffAfter(attempt: Int): Long =
        (doubled(backoff, attempt - 1, maxBackoff) * (1 - jitter * Random.nextDouble())).toLong()

    override fun toString(): String = "Retry($attempts)"
}

/** Whether a failure may be temporary. */
private fun isPassing(error: RpcException): Boolean {
    val reason = (error as? TransportException)?.reason
    return reason == TransportReason.NETWORK || reason == TransportReason.TIMEOUT || error.status in setOf(429, 502, 503, 504)
}

private fun doubled(first: Duration, times: Int, most: Duration): Double =
    min(millis(most).toDouble(), millis(first).toDouble() * (1L shl min(times, 30)))

/**
 * Opens lost streams again. If the contract has `@resume`, they continue after the last item.
 *
 * @property attempts The maximum number of consecutive attempts. An item, or a connection longer than [maxDelay], resets
 *   the count.
 * @property minDelay The time before the first attempt, randomly shortened by up to half. It doubles with every attempt.
 * @property maxDelay The maximum delay, if the server asks for no other.
 */
class Reconnect @JvmOverloads constructor(
    val attempts: Int = Int.MAX_VALUE,
    val minDelay: Duration = Duration.ofMillis(500),
    val maxDelay: Duration = Duration.ofSeconds(30),
) {
    /** Returns the milliseconds before the next attempt. Throws the given error if there is none. */
    internal fun delay(failures: Int, error: RpcException): Long {
        if (failures >= attempts || !(error.isStreamLost || isPassing(error))) throw error
        val asked = error.failure.retryAfterMillis
        if (asked != null && asked > 0) return asked
        // All clients may have lost their connections at once.
        return (doubled(minDelay, failures, maxDelay) * (1 - Random.nextDouble() / 2)).toLong()
    }

    override fun toString(): String = "Reconnect($attempts)"
}

/**
 * Options for calls. No text contains them, because they can be secret.
 *
 * @property headers Headers for every request.
 * @property parameters Values for the placeholders of addresses.
 * @property timeout The time until a call must have ended, with all its attempts, or a stream must have begun. Default: 60
 *   seconds, or 15 for streams, and no total for files.
 * @property retry If it is null, no call is repeated.
 * @property reconnect If it is null, a lost stream is an error.
 * @property onResponse Is called with each response, before its body is read. An error that it throws ends the call.
 * @property idempotencyKey Identifies one call to a method with `@idempotencyKey`. Default: a random key for each call.
 * @property checkResponses Whether responses that violate limits of the contract are errors.
 * @property maxResponseBytes The maximum size of a response, which is not a stream or a file.
 */
data class Options @JvmOverloads constructor(
    val headers: Map<String, String> = emptyMap(),
    val parameters: Map<String, String> = emptyMap(),
    val timeout: Duration? = null,
    val retry: Retry? = Retry(),
    val reconnect: Reconnect? = null,
    val onResponse: ((Response) -> Unit)? = null,
    val idempotencyKey: String? = null,
    val checkResponses: Boolean = false,
    val maxResponseBytes: Long = 32L shl 20,
) {
    override fun toString(): String = "Options"
}

/** What identifies the caller, where it is sent, and what precedes it there. */
internal class CredentialPlace(
    val identifier: String,
    /** A header. After a question mark, a parameter of the query. */
    val place: String,
    val prefix: String = "",
)

internal typealias CredentialSource = suspend () -> String?
