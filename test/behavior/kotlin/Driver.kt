// A driver of `ridl conformance` for the client of the conformance contract.
package conformance

import conformance.ridl.*
import java.io.PrintStream
import java.lang.reflect.InvocationTargetException
import java.lang.reflect.Method as JavaMethod
import java.time.Duration
import java.util.Base64
import kotlin.coroutines.intrinsics.suspendCoroutineUninterceptedOrReturn
import kotlinx.coroutines.flow.Flow
import kotlinx.coroutines.flow.map
import kotlinx.coroutines.flow.take
import kotlinx.coroutines.flow.toCollection
import kotlinx.coroutines.runBlocking
import kotlinx.serialization.json.JsonArray
import kotlinx.serialization.json.JsonElement
import kotlinx.serialization.json.JsonNull
import kotlinx.serialization.json.JsonObject
import kotlinx.serialization.json.JsonPrimitive
import kotlinx.serialization.json.int
import kotlinx.serialization.json.jsonObject
import kotlinx.serialization.json.jsonPrimitive
import kotlinx.serialization.json.long
import okhttp3.OkHttpClient

private val http = OkHttpClient()

private fun textIn(json: JsonObject, name: String) = json.getValue(name).jsonPrimitive.content

private fun credentialsOf(given: JsonObject): Credentials {
    val source = { name: String -> given[name]?.let { suspend { it.jsonPrimitive.content } } }
    return Credentials(source("Key"), source("Secret"), source("UserLogin"), source("ApiKey"), source("Session"))
}

private fun optionsOf(given: JsonObject) =
    Options(
        timeout = given["timeoutMs"]?.let { Duration.ofMillis(it.jsonPrimitive.long) },
        retry = given["attempts"]?.let { Retry(it.jsonPrimitive.int, backoff = Duration.ofMillis(1)) },
        reconnect = given["reconnect"]?.let { Reconnect(given["attempts"]?.jsonPrimitive?.int ?: Int.MAX_VALUE, Duration.ofMillis(1)) },
        idempotencyKey = given["idempotencyKey"]?.jsonPrimitive?.content,
        checkResponses = "checkResponses" in given,
        headers = given["headers"]?.jsonObject.orEmpty().mapValues { it.value.jsonPrimitive.content },
    )

private fun uploadOf(json: JsonElement): Upload {
    val file = json.jsonObject
    return Upload(Base64.getDecoder().decode(textIn(file, "base64")), textIn(file, "name"), textIn(file, "type"))
}

/** The generated function of a call, and what the client knows about it. */
private class Called(
    val service: Any,
    val function: JavaMethod,
    val method: Method<*, *>,
) {
    /** Converts the arguments from their JSON. */
    fun arguments(request: JsonObject): Array<Any?> {
        val type = method.request
        if (!type.javaClass.isAnonymousClass) return arrayOf(type.read(request))
        val read = { field: Field, member: JsonElement? ->
            if (field.isFile) (member as? JsonArray)?.map(::uploadOf) ?: member?.let(::uploadOf) else field.read(member)
        }
        return type.fields.map { read(it, request[it.name]) }.toTypedArray()
    }
}

private fun find(client: ConformanceClient, call: JsonObject): Called {
    val name = textIn(call, "service").split("/").joinToString("") { it.replaceFirstChar(Char::uppercase) }
    val service = client.javaClass.getMethod("get$name").invoke(client)
    val isCalled = { found: String -> found.removeSuffix("_").equals(textIn(call, "method"), ignoreCase = true) }
    val function = service.javaClass.methods.filter { isCalled(it.name) }.maxBy { it.parameterCount }
    val methods = Class.forName("conformance.${name}Methods")
    val getter = methods.methods.first { isCalled(it.name.removePrefix("get")) && it.name.startsWith("get") }
    return Called(service, function, getter.invoke(methods.getField("INSTANCE").get(null)) as Method<*, *>)
}

@Suppress("UNCHECKED_CAST")
private fun jsonOf(type: Type<*>, value: Any): JsonElement = (type as Type<Any>).write(value)

private suspend fun fileOf(download: Download): JsonElement {
    val content = Base64.getEncoder().encodeToString(download.bytes())
    val members = mapOf("name" to download.name, "type" to download.type, "base64" to content)
    return JsonObject(mapOf("file" to JsonObject(members.mapValues { JsonPrimitive(it.value) })))
}

private fun errorOf(error: RpcException): JsonElement {
    val failure = error.failure
    val data = failure.data?.let { value -> declaredErrors.firstNotNullOf { kind -> kind.data.takeIf { kind.name == error.name } } to value }
    return JsonObject(
        mapOf(
            "name" to JsonPrimitive(failure.name),
            "code" to JsonPrimitive(failure.code),
            "status" to JsonPrimitive(failure.status),
            "message" to JsonPrimitive(failure.message),
            "cause" to JsonPrimitive(failure.detail),
            "reason" to JsonPrimitive((error as? TransportException)?.reason?.name?.lowercase()?.replace('_', '-')),
            "data" to (data?.let { (type, value) -> jsonOf(type, value) } ?: JsonNull),
        ),
    )
}

private suspend fun make(call: JsonObject): JsonObject {
    val items = mutableListOf<JsonElement>()
    val outcome = mutableMapOf<String, JsonElement>()
    try {
        val options = call.getValue("options").jsonObject
        val credentials = credentialsOf(call.getValue("credentials").jsonObject)
        val client = ConformanceClient(textIn(call, "url"), credentials, optionsOf(options), http)
        val called = find(client, call)
        val given = called.arguments(call["request"] as? JsonObject ?: JsonObject(emptyMap()))
        val isStream = called.function.returnType == Flow::class.java
        val result =
            if (isStream) {
                called.function.invoke(called.service, *given)
            } else {
                suspendCoroutineUninterceptedOrReturn { done -> called.function.invoke(called.service, *given, done) }
            }
        when {
            result is Flow<*> -> {
                val all = result.map { jsonOf(called.method.response, checkNotNull(it)) }
                (options["take"]?.let { all.take(it.jsonPrimitive.int) } ?: all).toCollection(items)
            }
            result is Download -> outcome["value"] = fileOf(result)
            else -> outcome["value"] = jsonOf(called.method.response, checkNotNull(result))
        }
    } catch (thrown: Throwable) {
        val error = (thrown as? InvocationTargetException)?.targetException ?: thrown
        if (error is RpcException) outcome["error"] = errorOf(error) else outcome["refused"] = JsonPrimitive("$error")
    }
    if ("value" !in outcome) outcome["items"] = JsonArray(items)
    return JsonObject(outcome)
}

fun main() {
    val output = PrintStream(System.out, true, "UTF-8")
    for (line in System.`in`.bufferedReader().lineSequence()) {
        output.println(printJson(runBlocking { make(parseJson(line).jsonObject) }))
    }
}
