// Runs `client-cases.jsonl` with the client of the conformance contract, and what these cases do not contain.
import conformance.*
import java.io.File
import java.math.BigInteger
import java.net.URI
import java.net.http.HttpClient
import java.net.http.HttpRequest
import java.net.http.HttpResponse.BodyHandlers
import java.time.Instant
import kotlin.coroutines.intrinsics.suspendCoroutineUninterceptedOrReturn
import kotlin.system.exitProcess
import kotlinx.coroutines.flow.take
import kotlinx.coroutines.flow.toList
import kotlinx.coroutines.runBlocking
import kotlinx.serialization.json.Json
import kotlinx.serialization.json.JsonArray
import kotlinx.serialization.json.JsonElement
import kotlinx.serialization.json.JsonObject
import kotlinx.serialization.json.JsonPrimitive
import kotlinx.serialization.json.jsonArray
import kotlinx.serialization.json.jsonObject
import kotlinx.serialization.json.jsonPrimitive
import kotlinx.serialization.serializer
import ridl.*

private val http = HttpClient.newHttpClient()
private val format = Json { ignoreUnknownKeys = true }
private val credentials = Credentials(key = { "key" }, secret = { "secret" })
private var failures = 0

private fun expect(found: Any?, wanted: Any?) {
    if (found != wanted) throw AssertionError("expected $wanted, got $found")
}

private suspend inline fun <reified E : Throwable> expectThrown(act: suspend () -> Unit): E {
    try {
        act()
    } catch (thrown: Throwable) {
        return thrown as? E ?: throw thrown
    }
    throw AssertionError("expected ${E::class.simpleName}")
}

private inline fun test(name: String, act: () -> Unit) {
    try {
        act()
    } catch (thrown: Throwable) {
        failures += 1
        println("FAILED $name: $thrown")
    }
}

private fun control(path: String, case: JsonObject): String {
    val body = HttpRequest.BodyPublishers.ofString(case.getValue("name").jsonPrimitive.content)
    val address = URI(System.getenv("CONTROL") + path)
    return http.send(HttpRequest.newBuilder(address).POST(body).build(), BodyHandlers.ofString()).body()
}

/** Calls the method of a case by its name. Returns the response in JSON. */
private suspend fun call(case: JsonObject): JsonElement {
    val client = ConformanceClient(System.getenv(if ("response" in case) "CANNED" else "SERVER"), credentials, http)
    val text = { name: String -> case.getValue(name).jsonPrimitive.content }
    val getter = "get" + text("service").split("/").joinToString("") { it.replaceFirstChar(Char::uppercase) }
    val service = client.javaClass.getMethod(getter).invoke(client)
    val method = service.javaClass.methods.first { it.name.removeSuffix("_").equals(text("method"), ignoreCase = true) }
    val arguments = method.parameterTypes.dropLast(1).map {
        format.decodeFromJsonElement(serializer(it), case["echo"] ?: case["request"] ?: JsonObject(mapOf()))
    }
    val response = try {
        suspendCoroutineUninterceptedOrReturn<Any> { method.invoke(service, *arguments.toTypedArray(), it) }
    } catch (thrown: java.lang.reflect.InvocationTargetException) {
        throw thrown.targetException
    }
    return format.encodeToJsonElement(serializer(response.javaClass), response)
}

/** Whether values are the same. Timestamps are if they are the same instant. */
private fun isSame(one: JsonElement?, other: JsonElement?): Boolean =
    when {
        one is JsonObject && other is JsonObject ->
            one.keys == other.keys && one.all { (name, value) -> isSame(value, other[name]) }
        one is JsonArray && other is JsonArray ->
            one.size == other.size && one.indices.all { isSame(one[it], other[it]) }
        one is JsonPrimitive && other is JsonPrimitive && one.isString == other.isString ->
            one == other || if (one.isString) isSameTime(one, other) else isSameNumber(one, other)
        else -> false
    }

private fun isSameTime(one: JsonPrimitive, other: JsonPrimitive): Boolean =
    runCatching { Instant.parse(one.content) == Instant.parse(other.content) }.getOrDefault(false)

private fun isSameNumber(one: JsonPrimitive, other: JsonPrimitive): Boolean {
    val isDecimal = listOf(one, other).any { number -> number.content.any { it in ".eE" } }
    return isDecimal && one.content.toDoubleOrNull() == other.content.toDouble()
}

private fun expectSame(found: JsonElement, wanted: JsonElement) {
    if (!isSame(found, wanted)) throw AssertionError("expected $wanted, got $found")
}

private suspend fun check(case: JsonObject) {
    if ("response" in case) control("/respond", case)
    val error = case["error"] as? JsonObject
    if (error == null) {
        expectSame(call(case), case["echo"] ?: case.getValue("value"))
        expect(control("/received", case), "")
        return
    }
    val failure = expectThrown<RpcException> { call(case) }.failure
    val found = mapOf(
        "name" to JsonPrimitive(failure.error),
        "code" to JsonPrimitive(failure.code),
        "status" to JsonPrimitive(failure.status),
        "message" to JsonPrimitive(failure.message),
        "cause" to JsonPrimitive(failure.reason),
    )
    expectSame(JsonObject(found.filterKeys { it in error }), error)
}

private suspend fun runCases() {
    val exceptions = format.parseToJsonElement(File(System.getenv("EXCEPTIONS")).readText()).jsonObject
    val isException = { kind: String, name: String -> name in exceptions.getValue(kind).jsonObject }
    for (line in File(System.getenv("CASES")).readLines()) {
        val case = format.parseToJsonElement(line).jsonObject
        val name = case.getValue("name").jsonPrimitive.content
        val needs = case["needs"]?.jsonArray.orEmpty()
        val isExpected = isException("cases", name) || needs.any { isException("needs", it.jsonPrimitive.content) }
        // What passes is no exception.
        test(name) { if (isExpected) expectThrown<Throwable> { check(case) } else check(case) }
    }
}

private suspend fun runOwn(client: ConformanceClient) {
    test("values have types of Kotlin") {
        val sent = Optionals(
            large = BigInteger("123456789012345678901234567890"),
            when_ = Instant.parse("2026-01-02T03:04:05.123+01:00"),
            data = Bytes(byteArrayOf(0, -1)),
            color = Color.GREEN,
            level = Level.HIGH,
        )
        expect(client.echo.uint64(Uint64Request(ULong.MAX_VALUE)).value, ULong.MAX_VALUE)
        expect(client.echo.optionals(OptionalsRequest(sent)).value, sent)
    }
    test("null is not absent if a field is nullable") {
        for (list in listOf(null, Present(null), Present(listOf(BigInteger.TEN)))) {
            val sent = Nullables(text = null, point = null, list = list)
            expect(client.echo.nullables(NullablesRequest(sent)).value, sent)
        }
    }
    test("errors are exceptions") {
        val conflict = expectThrown<ConflictException> { client.faults.fail(FailRequest("cause Conflict")) }
        expect(conflict.failure.status, 409)
        expect(conflict.message, "Conflict: because: “é😀”")
        val refused = ConformanceClient(System.getenv("SERVER"), Credentials(key = { "wrong" }))
        expectThrown<KeyMissingException> { refused.access.open(OpenRequest(1u)) }
    }
    test("streams are flows") {
        val large = BigInteger.TWO.pow(70)
        val items = client.lines.count(CountRequest(3u, large)).toList()
        expect(items, (1u..3u).map { CountResponse(it, large) })
        expect(client.lines.endless().take(2).toList().map { it.n }, listOf(1u, 2u))
        val received = mutableListOf<UInt>()
        expectThrown<GeoblockedException> {
            client.lines.fail(LinesFailRequest("plain Geoblocked", 2u)).collect { received += it.n }
        }
        expect(received, listOf(1u, 2u))
    }
    test("limits are checked before a request is sent") {
        val limits = Limits(
            short = "four",
            small = 4u,
            list = listOf(1u, 2u, 3u, 4u),
            data = Bytes(byteArrayOf()),
            map = mapOf("a" to Small(6)),
            names = listOf(Short_("a"), Short_("😀😀😀😀"), Short_("a")),
        )
        expect(
            expectThrown<InvalidRequestException> { client.echo.limits(LimitsRequest(limits)) }.failures,
            listOf(
                "value.short: expected at most 3 characters",
                "value.small: expected at most 3",
                "value.list: expected at most 3 items",
                "value.data: expected at least 1 items",
                "value.map[a]: expected at most 5",
                "value.names: expected different items",
                "value.names[0]: expected at least 2 characters",
                "value.names[2]: expected at least 2 characters",
            ),
        )
        expectThrown<InvalidRequestException> { client.echo.smaller(SmallerRequest(Smaller(Small(-1)))) }
        expectThrown<InvalidRequestException> { client.echo.scores(ScoresRequest(Scores(mapOf()))) }
        expectThrown<InvalidRequestException> { client.echo.hex(HexRequest(Hex("0xa\n"))) }
        expectThrown<InvalidRequestException> { client.echo.link(LinkRequest(Link("javascript:alert(1)"))) }
        expectThrown<InvalidRequestException> { client.reads.name(NameRequest("..")) }
        expectThrown<InvalidRequestException> { client.reads.thing(ThingRequest(1u, listOf())) }
    }
}

fun main() {
    runBlocking {
        runCases()
        runOwn(ConformanceClient(System.getenv("SERVER"), credentials))
    }
    println("$failures failures")
    exitProcess(if (failures == 0) 0 else 1)
}
