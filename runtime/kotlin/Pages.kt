// Pages of lists.
package ridl

import kotlinx.serialization.json.*

/** How a method returns pages. Fields have their names in JSON. */
internal class Paging(
    /** The field of the request that identifies a page. */
    private val asked: String,
    /** The field of the response with the next token, the number or the links. */
    private val answered: String,
    /** The field of the request whose struct contains [asked]. */
    private val holder: String? = null,
    /** The number of the page, and whether there are more, in the struct that is both [asked] and [answered]. */
    private val numbered: Pair<String, String>? = null,
    /** The parameter of links to the next page, and whether it is a number. */
    private val linked: Pair<String, Boolean>? = null,
) {
    /** Returns the page that a request asks for, or null for the first one. */
    fun pageOf(given: Given): JsonElement? = member(if (holder == null) given.members else member(given.members, holder), asked)

    /** Returns the request for a page. */
    fun at(given: Given, page: JsonElement): Given {
        if (holder == null) return given.with(asked, page)
        val held = (member(given.members, holder) as? JsonObject).orEmpty()
        return given.with(holder, JsonObject(held + (asked to page)))
    }

    /** Returns the page after a response, or null. Throws [TransportException] if a link cannot be read. */
    fun next(response: JsonElement, page: JsonElement?): JsonElement? {
        val answer = member(response, answered)
        if (linked != null) return nextInLinks(textOf(answer).orEmpty(), linked.first, linked.second)
        if (numbered == null) return answer.takeUnless { textOf(it) == "" }
        val (number, more) = numbered
        if ((member(answer, more) as? JsonPrimitive)?.content != "true") return null
        val last = listOfNotNull(member(answer, number), member(page, number)).firstOrNull() ?: JsonPrimitive(1)
        val next = JsonPrimitive(wholeNumber(last) + 1.toBigInteger())
        return JsonObject((answer as JsonObject) + (page as? JsonObject).orEmpty() + (number to next))
    }

    /** Returns what tells a page from others: its token or its number. */
    fun key(page: JsonElement?): Any? = keyOf(if (numbered == null) page else member(page, numbered.first))
    private fun member(holder: JsonElement?, name: String): JsonElement? = (holder as? JsonObject)?.get(name).takeUnless { it is JsonNull }
}

private val link = Regex("<([^<>]*)>([^<]*)")
private val relation = Regex(";\\s*rel\\s*=\\s*(?:\"([^\"]*)\"|([^\\s;,]+))", RegexOption.IGNORE_CASE)

/** Finds the link to the next page (RFC 8288, section 3). */
private fun nextInLinks(links: String, parameter: String, isNumber: Boolean): JsonElement? {
    for (found in link.findAll(links)) {
        val (address, rest) = found.destructured
        val names = relation.find(rest)?.destructured?.let { (quoted, word) -> quoted + word }.orEmpty()
        if ("next" !in names.lowercase().split(" ")) continue
        val query = address.substringBefore('#').substringAfter('?', "")
        val pairs = query.split("&").map { it.split("=", limit = 2).map(::decoded) }
        val text = pairs.find { it.first() == parameter }?.getOrNull(1)
        if (text == null || isNumber && !text.matches(Regex("[0-9]{1,15}"))) {
            throw transportError(TransportReason.BAD_RESPONSE, "the link to the next page has no valid $parameter", 200)
        }
        return if (isNumber) JsonPrimitive(text.toLong()) else JsonPrimitive(text)
    }
    return null
}
