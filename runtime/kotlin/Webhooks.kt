// Verifies webhooks as specified by Standard Webhooks.
package ridl

import java.security.MessageDigest
import java.time.Duration
import kotlin.math.abs
import okio.ByteString
import okio.ByteString.Companion.toByteString

/** A webhook that was received. */
data class WebhookEvent(val name: String, val message: Any)

/** Verifies and reads a webhook. Throws an [RpcException], which is the response to the sender. */
internal fun receiveWebhook(
    events: Map<String, Type<out Any>>,
    errors: List<ErrorKind>,
    body: ByteArray,
    headers: Map<String, String>,
    secrets: List<String>?,
    tolerance: Duration,
): WebhookEvent {
    val given = headers.mapKeys { it.key.lowercase() }
    if (secrets != null) verify(body, given, secrets, tolerance)
    val name = given["webhook-event"] ?: events.keys.singleOrNull()
    val type = events[name] ?: throw RpcException(builtInFailure("WebrpcBadRoute", "bad route", "there is no such event"))
    return try {
        val text = body.decodeToString()
        if (!body.contentEquals(text.encodeToByteArray())) throw Mismatch("body is not UTF-8")
        WebhookEvent(name.orEmpty(), readChecked(type, text.ifEmpty { "{}" }))
    } catch (mismatch: Mismatch) {
        val (text, detail) = "invalid webhook" to mismatch.message
        val declared = errors.find { it.name == "InvalidArgument" }
            ?: throw RpcException(builtInFailure("WebrpcBadRequest", text, detail))
        throw declared.create(Failure(declared.name, declared.code, declared.status, text, detail))
    }
}

private fun <T : Any> readChecked(type: Type<T>, text: String): T {
    val value = type.read(parseJson(text))
    val faults = type.faultsIn(value)
    if (faults.isNotEmpty()) throw Mismatch(faults.joinToString("; "))
    return value
}

/** Verifies a signature. The names of headers are in lowercase. */
private fun verify(body: ByteArray, headers: Map<String, String>, secrets: List<String>, tolerance: Duration) {
    val keys = secrets.map(::readSecret)
    require(keys.isNotEmpty()) { "there is no secret" }
    val (id, timestamp, signatures) = listOf("id", "timestamp", "signature").map { headers["webhook-$it"] ?: unsigned("is missing") }
    if (!timestamp.matches(Regex("[0-9]{1,12}"))) unsigned("has no valid timestamp")
    val age = abs(System.currentTimeMillis() / 1000 - timestamp.toLong())
    if (age > tolerance.seconds) unsigned("has a timestamp that is too old or too new")
    val content = ("$id.$timestamp.".encodeToByteArray() + body).toByteString()
    val valid = keys.map { "v1,${content.hmacSha256(it).base64()}".encodeToByteArray() }
    // No sender uses more secrets.
    val given = signatures.split(" ").take(10).map { it.encodeToByteArray() }
    if (given.none { one -> valid.any { MessageDigest.isEqual(it, one) } }) unsigned("does not match")
}

private fun readSecret(secret: String): ByteString {
    val key = bytesIn(secret.removePrefix("whsec_"))
    return requireNotNull(key?.takeIf { it.size >= 24 }) { "a webhook secret must be base64 of at least 24 bytes" }
}

private fun unsigned(fault: String): Nothing =
    throw RpcException(builtInFailure("WebrpcBadRequest", "bad request", "the signature $fault", 401))
