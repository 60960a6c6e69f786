// Calls from Java and from other code without coroutines.
package ridl

import java.util.concurrent.CompletableFuture
import kotlinx.coroutines.CoroutineScope
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.cancel
import kotlinx.coroutines.channels.Channel
import kotlinx.coroutines.flow.Flow
import kotlinx.coroutines.flow.buffer
import kotlinx.coroutines.flow.produceIn
import kotlinx.coroutines.future.future
import kotlinx.coroutines.runBlocking

/** Waits for calls in place of coroutines. In Java: `Blocking.await(done -> client.getShop().getBook("…", done))`. */
object Blocking {
    /** Makes a call and waits for its result. */
    @JvmStatic
    @Throws(InterruptedException::class)
    fun <T> await(call: suspend () -> T): T = runBlocking { call() }

    /** Makes a call. Cancelling the future cancels the call. */
    @JvmStatic
    fun <T> future(call: suspend () -> T): CompletableFuture<T> = CoroutineScope(Dispatchers.Default).future { call() }

    /** Iterates over a stream or over pages. Close it if you do not read all of it. */
    @JvmStatic
    fun <T : Any> iterate(flow: Flow<T>): Items<T> = Items(flow)

    /** The items of a stream, which waits for the next one. */
    class Items<T : Any> internal constructor(flow: Flow<T>) : Iterator<T>,
        AutoCloseable {
        private val scope = CoroutineScope(Dispatchers.Default)
        private val channel = flow.buffer(Channel.RENDEZVOUS).produceIn(scope)
        private var upcoming: T? = null

        override fun hasNext(): Boolean {
            if (upcoming == null) {
                val result = runBlocking { channel.receiveCatching() }
                result.exceptionOrNull()?.let { throw it }
                upcoming = result.getOrNull()
            }
            return upcoming != null
        }

        override fun next(): T {
            if (!hasNext()) throw NoSuchElementException()
            return checkNotNull(upcoming).also { upcoming = null }
        }

        override fun close() = scope.cancel()
    }
}
