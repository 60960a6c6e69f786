// Methods: their requests and responses, without sending anything.
package ridl

import java.time.Duration
import kotlinx.serialization.json.*
import okhttp3.MultipartBody

internal const val BYTE_ORDER_MARK = "\uFEFF"
private val callTimeout = Duration.ofSeconds(60)

/** How to call a method. */
internal class Method<Q : Any, A : Any>(
    /** The service and the name in RIDL. */
    val name: String,
    private val path: String,
    val request: StructType<Q>,
    val response: Type<A>,
    val credentials: List<CredentialPlace> = emptyList(),
    /** Whether a call can be repeated. */
    val isSafe: Boolean = false,
    /** Whether each call has a key, with which it can be repeated. */
    val hasKey: Boolean = false,
    /** Whether messages can contain sensitive fields, so that errors do not quote what could not be read. */
    val isSensitive: Boolean = false,
    val rest: Rest? = null,
    /** The field that is the whole body of the response. */
    private val body: String? = null,
    /** The names of its errors, if the server's errors have a body of their own. Null means all. */
    val errors: List<String>? = null,
    /** The field of the request for the cursor of the last item of a stream, and the names from the item to it. */
    private val resume: Pair<String, String>? = null,
    val paging: Paging? = null,
) {
    private val isDownload get() = response === Scalars.file
    val hasFiles get() = request.fields.any { it.isFile }

    /** Converts and checks a request. Throws [InvalidRequestException]. */
    fun convert(request: Q): Given {
        val faults = this.request.faultsIn(request)
        if (faults.isNotEmpty()) throw InvalidRequestException(faults)
        return Given(this.request.write(request), this.request.filesOf(request))
    }

    fun write(given: Given, parameters: Map<String, String>): Message {
        if (rest != null) return rest.write(path, given, parameters)
        val json = printJson(given.members)
        val target = fill(path, parameters)
        if (!hasFiles) return Message("POST", target, textBody(json, JSON_TYPE))
        val form = MultipartBody.Builder().setType(MultipartBody.FORM).addFormDataPart("json", json)
        form.addFiles(given.files)
        return Message("POST", target, form.build())
    }

    /** Returns the request for the items of a stream after the last one. */
    fun resumed(given: Given, last: JsonElement?): Given {
        if (resume == null || last == null) return given
        val (field, path) = resume
        val cursor = path.split(".").fold<String, JsonElement?>(last) { json, name -> (json as? JsonObject)?.get(name) }
        return if (cursor == null) given else given.with(field, cursor)
    }

    /** What the media type of a stream contains: server-sent events have an address of their own. */
    val streamType: String get() = if (rest == null) "ndjson" else EVENT_STREAM

    /** Returns the header that asks for the type of a response. Files can have any. */
    fun accept(isStream: Boolean): String? = when {
        // Some servers compare the header with their own type.
        isStream && rest != null -> "$EVENT_STREAM, $EVENT_STREAM$END"
        isStream -> "application/x-ndjson$END, */*"
        rest == null || isDownload -> null
        else -> "application/json, */*;q=0.1"
    }

    /** Returns the JSON of a response or, without headers, of an item of a stream. Throws [TransportException]. */
    fun readJson(text: String, status: Int, headers: ((String) -> String?)? = null): JsonElement = valid(text, status) {
        val size = (response as? StructType<*>)?.fields?.size ?: 0
        when {
            rest != null && headers != null -> rest.read(text.removePrefix(BYTE_ORDER_MARK), status, headers, body, size)
            headers != null -> parseJson(text.removePrefix(BYTE_ORDER_MARK))
            body != null -> JsonObject(mapOf(body to parseJson(text)))
            else -> parseJson(text)
        }
    }

    /** Reads a response or an item, whose text is only for errors. Throws [TransportException]. */
    fun read(json: JsonElement, text: String, status: Int, isChecked: Boolean): A {
        val value = valid(text, status) { response.read(json) }
        val faults = if (isChecked) response.faultsIn(value) else emptyList()
        if (faults.isEmpty()) return value
        throw transportError(TransportReason.BAD_RESPONSE, faults.joinToString("; "), status)
    }

    private inline fun <T> valid(text: String, status: Int, read: () -> T): T = try {
        read()
    } catch (mismatch: Mismatch) {
        throw transportError(TransportReason.BAD_RESPONSE, beginning(text), status, mismatch)
    }

    /** Returns the beginning of a body for errors, unless it can contain what is sensitive. */
    fun beginning(text: String): String = if (isSensitive) "hidden" else text.removePrefix(BYTE_ORDER_MARK).take(500)

    /** Returns the milliseconds that a call may take. */
    fun timeout(given: Duration?): Long = millis(given ?: callTimeout.takeUnless { hasFiles || isDownload })
}
