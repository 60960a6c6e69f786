// Calls, which are JSON over HTTP. They need Java 12, kotlinx.coroutines and kotlinx.serialization.
package ridl

import java.io.InputStream
import java.net.URI
import java.net.URLEncoder
import java.net.http.HttpClient
import java.net.http.HttpRequest
import java.net.http.HttpResponse
import java.net.http.HttpResponse.BodyHandlers
import java.time.Duration
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.flow.Flow
import kotlinx.coroutines.flow.flow
import kotlinx.coroutines.future.await
import kotlinx.coroutines.runInterruptible
import kotlinx.serialization.DeserializationStrategy
import kotlinx.serialization.SerializationException
import kotlinx.serialization.SerializationStrategy
import kotlinx.serialization.json.Json
import kotlinx.serialization.json.JsonArray
import kotlinx.serialization.json.JsonElement
import kotlinx.serialization.json.JsonObject
import kotlinx.serialization.json.JsonPrimitive
import kotlinx.serialization.json.doubleOrNull
import kotlinx.serialization.serializer

/** What a service says about a call that failed. */
data class Failure(val error: String, val code: Int, val status: Int, val message: String, val reason: String?)

/** A call that a service rejected, or whose response is not what the contract promises. */
open class RpcException(val failure: Failure, cause: Throwable? = null) :
    Exception(listOfNotNull(failure.message, failure.reason).joinToString(": "), cause)

/** A header that identifies the caller. Nothing is sent if there is no value. */
class Credential(val header: String, val value: (suspend () -> String)?, val scheme: String? = null)

/** The HTTP method of a call and the parts of its path, which can be fields of the request, by their names in JSON. */
class Route(val method: String, val path: (field: (String) -> String) -> List<String>)

/** Calls the methods of a host. */
class Rpc(
    baseUrl: String,
    private val http: HttpClient,
    private val timeout: Duration,
    private val toException: (Failure) -> RpcException,
) {
    private val baseUrl = baseUrl.trimEnd('/')

    /**
     * Calls a method. If a response is the value of one field, `body` is the name of this field.
     *
     * @throws InvalidRequestException if the request is not what the contract allows
     * @throws RpcException if the service rejects the call
     * @throws java.io.IOException if there is no response
     */
    suspend inline fun <reified Q, reified A> call(
        route: Route,
        request: Q,
        vararg credentials: Credential,
        body: String? = null,
    ): A = call(serializer<Q>(), serializer<A>(), route, request, credentials, body)

    /** Calls a method that returns a stream. The call begins when the flow is collected. */
    inline fun <reified Q, reified A> stream(route: Route, request: Q, vararg credentials: Credential): Flow<A> =
        stream(serializer<Q>(), serializer<A>(), route, request, credentials)

    @PublishedApi
    internal suspend fun <Q, A> call(
        requestType: SerializationStrategy<Q>,
        responseType: DeserializationStrategy<A>,
        route: Route,
        request: Q,
        credentials: Array<out Credential>,
        body: String?,
    ): A {
        val sent = prepare(requestType, route, request, credentials)
        val response = http.sendAsync(sent, BodyHandlers.ofString()).await()
        if (response.statusCode() !in 200..299) throw rejected(response.statusCode(), response.body())
        return decode(responseType, response.statusCode(), response.body(), body)
    }

    @PublishedApi
    internal fun <Q, A> stream(
        requestType: SerializationStrategy<Q>,
        itemType: DeserializationStrategy<A>,
        route: Route,
        request: Q,
        credentials: Array<out Credential>,
    ): Flow<A> = flow {
        val sent = prepare(requestType, route, request, credentials)
        val response = http.sendAsync(sent, BodyHandlers.ofInputStream()).await()
        response.body().bufferedReader().use { reader ->
            if (response.statusCode() !in 200..299) {
                throw rejected(response.statusCode(), runInterruptible(Dispatchers.IO) { reader.readText() })
            }
            while (true) {
                val line = runInterruptible(Dispatchers.IO) { reader.readLine() } ?: break
                if (line.isEmpty()) continue
                val failure = parseObject(line)?.get("webrpcError")
                if (failure != null) throw rejected(null, failure.toString())
                emit(decode(itemType, 200, line, null))
            }
        }
    }

    private suspend fun <Q> prepare(
        type: SerializationStrategy<Q>,
        route: Route,
        request: Q,
        credentials: Array<out Credential>,
    ): HttpRequest {
        val json = format.encodeToJsonElement(type, request) as JsonObject
        checkLimits(json, type.descriptor)
        val path = route.path { name -> encode(textOf(name, json[name])) }.joinToString("") { "/$it" }
        val address = URI(URI(baseUrl + path).toASCIIString())
        val builder = HttpRequest.newBuilder(address).timeout(timeout)
        for (credential in credentials) {
            val value = credential.value?.invoke() ?: continue
            builder.header(credential.header, listOfNotNull(credential.scheme, value).joinToString(" "))
        }
        if (route.method == "GET") return builder.build()
        val body = HttpRequest.BodyPublishers.ofString(json.toString())
        return builder.header("Content-Type", "application/json").method(route.method, body).build()
    }

    /** Returns the exception for an error, whose status is in its envelope if that of the response is 200. */
    private fun rejected(status: Int?, body: String): RpcException {
        val envelope = parseObject(body)
        val text = { name: String -> (envelope?.get(name) as? JsonPrimitive)?.takeIf { it.isString }?.content }
        val number = { name: String ->
            val value = (envelope?.get(name) as? JsonPrimitive)?.takeIf { !it.isString }
            value?.doubleOrNull?.takeIf { it == it.toInt().toDouble() }?.toInt()
        }
        val actual = status ?: number("status")?.takeIf { it in 400..599 } ?: 400
        val error = text("error") ?: return badResponse(actual, body)
        return toException(Failure(error, number("code") ?: 0, actual, text("msg") ?: error, text("cause")))
    }
}

private val format = Json { ignoreUnknownKeys = true }

private fun parseObject(body: String): JsonObject? =
    try {
        format.parseToJsonElement(body) as? JsonObject
    } catch (_: SerializationException) {
        null
    }

private fun <A> decode(type: DeserializationStrategy<A>, status: Int, body: String, field: String?): A =
    try {
        val json = format.parseToJsonElement(body.removePrefix("\uFEFF"))
        format.decodeFromJsonElement(type, if (field == null) json else JsonObject(mapOf(field to json)))
    } catch (cause: SerializationException) {
        throw badResponse(status, body, cause)
    } catch (cause: StackOverflowError) {
        throw badResponse(status, body, cause)
    }

private fun badResponse(status: Int, body: String, cause: Throwable? = null) =
    RpcException(Failure("WebrpcBadResponse", -5, status, "bad response", body.take(500)), cause)

/** Returns a field as a part of a path. The items of a list are separated by commas. */
private fun textOf(name: String, value: JsonElement?): String {
    val texts = if (value is JsonArray) value.map { (it as JsonPrimitive).content } else listOf((value as JsonPrimitive).content)
    val text = texts.joinToString(",")
    val isUnclear = text in setOf("", ".", "..") || value is JsonArray && texts.any { "," in it }
    if (isUnclear) throw InvalidRequestException(listOf("$name: expected what a path can contain"))
    return text
}

/** Encodes a value as a part of a path. */
fun encode(segment: String): String = URLEncoder.encode(segment, Charsets.UTF_8).replace("+", "%20")
