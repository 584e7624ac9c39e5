import type { EventLimits } from './event-limits.ts'

type StoredMessage = { readonly id: number; readonly text: string }

/** The last messages of a client, which are sent again after a lost connection. */
export type StoredMessages = {
  /** Stores a message, unless the messages of all clients are too large. Older messages are dropped for it. */
  readonly add: (message: StoredMessage) => void
  /** Returns the stored messages, oldest first. */
  readonly all: () => readonly StoredMessage[]
  readonly clear: () => void
}

type StorageLimits = Pick<EventLimits, 'storedMessages' | 'storedCharactersPerClient' | 'storedCharacters'>

/** Creates a function that creates the store of one client. All stores share the limit of their size. */
export function createMessageStores(limits: StorageLimits): () => StoredMessages {
  let charactersOfAll = 0
  return () => {
    let messages: StoredMessage[] = []
    let characters = 0
    const count = (change: number): void => {
      characters += change
      charactersOfAll += change
    }
    const clear = (): void => {
      count(-characters)
      messages = []
    }
    return {
      add(message) {
        const { length } = message.text
        if (charactersOfAll + length > limits.storedCharacters) clear()
        if (charactersOfAll + length > limits.storedCharacters) return
        messages.push(message)
        count(length)
        while (messages.length > limits.storedMessages || characters > limits.storedCharactersPerClient)
          count(-(messages.shift()?.text.length ?? 0))
      },
      all: () => messages,
      clear,
    }
  }
}
