import { createUploadTurns } from '../access/with-upload-turns.ts'
import { createDoor, type Door } from '../access/door.ts'
import { createQuotas } from '../access/quota/quotas.ts'
import type { Announcer } from '../changes/announcer.ts'
import type { Config } from '../config/serving-options.ts'
import type { Records } from '../records/port.ts'
import type { Volume } from '../storage/port.ts'

/** What the door is made of. */
export type DoorParts = {
  readonly config: Config
  readonly world: { readonly nowMs: () => number; readonly log: (line: string) => void }
  readonly records: Records
  readonly volume: Volume
  readonly announcer: Announcer
}

/** What each user may reach, by the records. */
export function openDoor({ config, world, records, volume, announcer }: DoorParts): Door {
  const told = new Set<string>()
  const quotas = createQuotas({ volume, nowMs: world.nowMs })
  announcer.subscribe((change) => quotas.hear(change))
  return createDoor({
    volume,
    globalRules: async () => (await records.settings.get()).rules,
    announce: announcer.announce,
    settled: announcer.settled,
    bracket: announcer.bracket,
    async userNow({ user, session }) {
      const living = await records.sessions.unended([session.id])
      const now = living.has(session.id) ? await records.users.find(user.id) : null
      return now === null || now.isDisabled ? null : now
    },
    onBrokenRule: (raw) => {
      if (told.has(raw)) return
      told.add(raw)
      world.log(`A rule is no regular expression and denies nothing: ${JSON.stringify(raw)}`)
    },
    mostUploadBytes: config.maxUploadSize === 0 ? null : config.maxUploadSize,
    quotas,
    uploadTurns: createUploadTurns(),
    nowMs: world.nowMs,
  })
}
