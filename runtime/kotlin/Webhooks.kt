// Verifies webhooks as specified by Standard Webhooks.
package ridl

import java.security.MessageDigest
import java.time.Duration
import java.util.Base64
import javax.crypto.Mac
import javax.crypto.spec.SecretKeySpec
import kotlin.math.abs

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
        WebhookEvent(name.orEmpty(), readChecked(type, textOf(body).ifEmpty { "{}" }))
    } catch (mismatch: Mismatch) {
        val (text, detail) = "invalid webhook" to mismatch.message
        val declared = errors.find { it.name == "InvalidArgument" }
            ?: throw RpcException(builtInFailure("WebrpcBadRequest", text, detail))
        throw declared.create(Failure(declared.name, declared.code, declared.status, text, detail))
    }
}

private fun textOf(body: ByteArray): String = try {
    body.decodeToString(throwOnInvalidSequence = true)
} catch (_: CharacterCodingException) {
    throw Mismatch("body is not UTF-8")
}

private fun <T : Any> readChecked(type: Type<T>, text: String): T {
    val value = type.read(parseJson(text))
    val faults = Faults()
    type.check(value, faults)
    if (faults.found.isNotEmpty()) throw Mismatch(faults.found.joinToString("; "))
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
    val content = "$id.$timestamp.".encodeToByteArray() + body
    val valid = keys.map { "v1," + Base64.getEncoder().encodeToString(sign(it, content)) }
    // No sender uses more secrets.
    val given = signatures.split(" ").take(10)
    val isSigned =
        valid.any { one -> given.any { MessageDigest.isEqual(one.encodeToByteArray(), it.encodeToByteArray()) } }
    if (!isSigned) unsigned("does not match")
}

private fun sign(key: ByteArray, content: ByteArray): ByteArray =
    Mac.getInstance("HmacSHA256").apply { init(SecretKeySpec(key, "HmacSHA256")) }.doFinal(content)

private fun readSecret(secret: String): ByteArray {
    val key = try {
        Base64.getDecoder().decode(secret.removePrefix("whsec_"))
    } catch (_: IllegalArgumentException) {
        ByteArray(0)
    }
    require(key.size >= 24) { "a webhook secret must be base64 of at least 24 bytes" }
    return key
}

private fun unsigned(fault: String): Nothing =
    throw RpcException(builtInFailure("WebrpcBadRequest", "bad request", "the signature $fault", 401))
