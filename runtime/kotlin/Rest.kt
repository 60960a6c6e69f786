// Requests and responses with a verb, a path, a query, headers or a form of their own, without sending anything.
package ridl

import java.net.URLDecoder
import kotlinx.serialization.json.*
import okhttp3.MediaType.Companion.toMediaTypeOrNull
import okhttp3.MultipartBody
import okhttp3.RequestBody
import okhttp3.RequestBody.Companion.toRequestBody
import okio.BufferedSink

/** What a request consists of. */
internal class Message(
    val verb: String,
    /** The path and the query. */
    val target: String,
    /** The body, or null if there is none. */
    val body: RequestBody?,
    val headers: Map<String, String> = emptyMap(),
)

/** What a method gets, as in JSON. */
internal class Given(val members: JsonObject, val files: Map<String, List<Upload>>) {
    fun with(field: String, value: JsonElement) = Given(JsonObject(members + (field to value)), files)
}

/** A part of a query: the field that it contains, or a text that is always sent. */
internal class QueryPart(
    val name: String,
    val field: String? = null,
    val text: String = "",
    /** Whether the items of a list are separated by commas in one pair. */
    val isJoined: Boolean = false,
)

/** A field of a response or an error in a header. */
internal class ResponseHeader(
    val name: String,
    val field: String,
    /** Whether the value, or each item of a list, is text in JSON. */
    val isText: Boolean,
    val isList: Boolean = false,
    /** Whether the field is an empty list if there is no header. */
    val isRequired: Boolean = false,
)

/** Where the parts of a request and of its response are. Fields have their names in JSON. */
internal class Rest(
    val verb: String,
    private val query: List<QueryPart> = emptyList(),
    /** The names of headers, and the fields in them. */
    private val headers: List<Pair<String, String>> = emptyList(),
    /** The field that is the body. */
    private val body: String? = null,
    /** Whether the body is an object of the fields that are in no other part. */
    private val hasBody: Boolean = false,
    /** What follows the names of lists in a form. Null means that the body is JSON. */
    private val listMark: String? = null,
    private val mediaType: String = JSON_TYPE,
    private val responseHeaders: List<ResponseHeader> = emptyList(),
    /** The field that is the body of the response with each status, if there are several. */
    private val statuses: Map<Int, String?> = emptyMap(),
    /** The field that contains the status. */
    private val statusField: String? = null,
) {
    /** Distributes the fields of a request. Throws [InvalidRequestException]. */
    fun write(path: String, given: Given, parameters: Map<String, String>): Message {
        val members = given.members
        val headers = this.headers.mapNotNull { (name, field) -> headerOf(name, members[field])?.let { name.lowercase() to it } }.toMap()
        return Message(verb, fill(path, parameters, members) + queryOf(members), bodyOf(path, given), headers)
    }

    private fun bodyOf(path: String, given: Given): RequestBody? {
        if (body in given.files) return given.files[body]?.firstOrNull()?.toRequestBody()
        val content = contentOf(path, given.members)
        if (listMark == null) return content?.let { textBody(printJson(it), mediaType) }
        val pairs = content?.let { formPairs(it, listMark) }.orEmpty()
        if (given.files.isNotEmpty()) return partsOf(pairs, given.files, listMark)
        val form = pairs.joinToString("&") { (name, text) -> "${encode(name)}=${encode(text)}" }
        return textBody(form, "application/x-www-form-urlencoded").takeIf { form != "" }
    }

    private fun queryOf(members: JsonObject): String {
        val pairs = query.flatMap { part ->
            val items = if (part.field == null) listOf(part.text) else textsOf(members[part.field])
            val texts = items.map(::encode)
            if (part.isJoined) checkCommas("parameter ${part.name}", items)
            val sent = if (part.isJoined && texts.isNotEmpty()) listOf(texts.joinToString(",")) else texts
            sent.map { "${encode(part.name)}=$it" }
        }
        return if (pairs.isEmpty()) "" else pairs.joinToString("&", "?")
    }

    /** Returns the value that is the body, or null if there is none. */
    private fun contentOf(path: String, members: JsonObject): JsonElement? {
        if (body != null) return members[body]
        if (!hasBody) return null
        val bound = placeholder.findAll(path).map { it.groupValues[1] } + query.mapNotNull { it.field } + headers.map { it.second }
        return JsonObject(members - bound.toSet())
    }

    private fun partsOf(pairs: List<Pair<String, String>>, files: Map<String, List<Upload>>, mark: String): RequestBody? {
        val builder = MultipartBody.Builder().setType(MultipartBody.FORM)
        for ((name, text) in pairs) {
            // Senders and receivers escape these in different ways.
            if (ambiguous.containsMatchIn(name)) refuse("a form with files cannot express the name of a member")
            if (hasUnpaired(name + text)) refuse("a form with files cannot contain an unpaired surrogate")
            builder.addFormDataPart(name, text)
        }
        builder.addFiles(files, mark)
        return if (pairs.isEmpty() && files.values.all { it.isEmpty() }) null else builder.build()
    }

    /** Returns the JSON of a response. Throws [Mismatch]. */
    fun read(text: String, status: Int, headers: (String) -> String?, body: String?, size: Int): JsonElement {
        // Without outputs in the body, the status is ignored.
        val isEmpty = size == responseHeaders.size
        val isChosen = statuses.isNotEmpty() && !isEmpty
        if (isChosen && status !in statuses) mismatch("another status")
        val field = if (isChosen) statuses[status] else body
        val json = when {
            isEmpty || isChosen && field == null -> JsonObject(emptyMap())
            field == null -> parseJson(text)
            else -> JsonObject(mapOf(field to parseJson(text)))
        }
        val added = fieldsIn(headers, responseHeaders) + listOfNotNull(statusField?.let { it to JsonPrimitive(status) })
        if (added.isEmpty()) return json
        return JsonObject((json as? JsonObject ?: mismatch("an object")) + added)
    }
}

private val placeholder = Regex("\\{(\\w+)\\}")
private val ambiguous = Regex("\\\\|%(?:22|0[AD])")
private val special = Regex("[^-_.~!*'()0-9A-Za-z]+")
private val headerText = Regex("[!-~](?:[ -~]*[!-~])?")

/** Returns the JSON of fields in headers. Throws [Mismatch]. */
internal fun fieldsIn(headers: (String) -> String?, given: List<ResponseHeader>): Map<String, JsonElement> {
    val fields = LinkedHashMap<String, JsonElement>()
    for (header in given) {
        val value = headers(header.name)
        val read = { text: String -> if (header.isText) JsonPrimitive(text) else parseJson(text) }
        when {
            value != null && !header.isList -> fields[header.field] = read(value)
            !value.isNullOrEmpty() -> fields[header.field] = JsonArray(value.split(",").map { read(it.trim()) })
            header.isRequired -> fields[header.field] = JsonArray(emptyList())
        }
    }
    return fields
}

/** Fills the placeholders of an address. Throws [InvalidRequestException]. */
internal fun fill(template: String, parameters: Map<String, String>, members: JsonObject = JsonObject(emptyMap())): String =
    placeholder.replace(template) { found ->
        val name = found.groupValues[1]
        val value = members[name] ?: parameters[name]?.let(::JsonPrimitive)
        val texts = textsOf(value)
        if (value is JsonArray) checkCommas("parameter $name", texts)
        val text = texts.joinToString(",", transform = ::encode)
        if (text in setOf("", ".", "..")) refuse("$name: expected what a path can contain")
        text
    }

/** Percent-encodes a text. Throws [InvalidRequestException] for half of a surrogate pair. */
internal fun encode(text: String): String {
    if (hasUnpaired(text)) refuse("an address cannot contain an unpaired surrogate")
    return special.replace(text) { run -> run.value.encodeToByteArray().joinToString("") { "%%%02X".format(it) } }
}

/** Decodes a text in a query, or returns null if that is impossible. */
internal fun decoded(text: String): String? = try {
    URLDecoder.decode(text, "UTF-8")
} catch (_: IllegalArgumentException) {
    null
}

/** Returns the texts of a value, or of the items of a list, in an address or a header. */
private fun textsOf(value: JsonElement?): List<String> {
    val items = value as? JsonArray ?: listOfNotNull(value).filter { it !is JsonNull }
    return items.map { (it as? JsonPrimitive)?.content ?: printJson(it) }
}

private fun checkCommas(place: String, items: List<String>) {
    // Servers also split lists at encoded commas.
    if (items.any { "," in it }) refuse("$place: expected items without commas")
}

/** Returns the text of a header, or null if it is not sent. */
private fun headerOf(name: String, value: JsonElement?): String? {
    val items = textsOf(value)
    if (items.isEmpty()) return null
    if (value is JsonArray) checkCommas("header $name", items) else if (items == listOf("")) return ""
    // Nobody could tell an empty item of a list from an empty list.
    if (!items.all(headerText::matches)) refuse("header $name: expected characters that are allowed")
    return items.joinToString(",")
}

/** Returns the names and texts of a value in a form. */
private fun formPairs(value: JsonElement, mark: String, name: String = ""): List<Pair<String, String>> = when {
    value is JsonNull -> emptyList()
    value is JsonPrimitive -> listOf(name to value.content)
    value is JsonArray && value.all { it is JsonPrimitive && it !is JsonNull } ->
        value.map { name + mark to it.jsonPrimitive.content }
    else -> {
        val members = if (value is JsonArray) value.withIndex().associate { "${it.index}" to it.value } else value.jsonObject
        members.flatMap { (key, item) ->
            if ('[' in key || ']' in key) refuse("a form cannot express the name of a member")
            val inner = formPairs(item, mark, if (name == "") key else "$name[$key]")
            if (value is JsonArray && inner.isEmpty()) refuse("$name[$key]: expected a value, which a form can express")
            inner
        }
    }
}

internal fun MultipartBody.Builder.addFiles(files: Map<String, List<Upload>>, mark: String = "") {
    for ((name, uploads) in files) {
        for (upload in uploads) addFormDataPart(name + mark, upload.name.ifEmpty { name }, upload.toRequestBody())
    }
}

internal const val JSON_TYPE = "application/json"

internal fun textBody(text: String, mediaType: String? = null): RequestBody =
    text.encodeToByteArray().toRequestBody(mediaType?.toMediaTypeOrNull())

/** A body that OkHttp does not repeat by itself, because the server may already have handled the request. */
internal class OnceBody(private val body: RequestBody) : RequestBody() {
    override fun contentType() = body.contentType()
    override fun contentLength(): Long = body.contentLength()
    override fun writeTo(sink: BufferedSink) = body.writeTo(sink)
    override fun isOneShot(): Boolean = true
}
