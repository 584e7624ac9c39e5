import { t } from '../../../i18n/translate.ts'
import { Button } from '../../../ui/button.tsx'
import { usePlayerState } from './player.ts'
import { timeText } from './time-text.ts'
import type { OpenPlayer } from './use-player.ts'
import styles from './media.module.css'

/** The note is shown while the position is this close to the one at which the file continued, in seconds. */
const shownForS = 10

/** Says that a file continues where the user left it, with the way to its start, that a connection was lost, and that the sound is missing. */
export function PlayerNotes({ open: { player, resumedAtS, missingSound } }: { readonly open: OpenPlayer }) {
  const { timeS, isInterrupted } = usePlayerState(player)
  if (isInterrupted)
    return (
      <p className={styles.note} role="alert">
        {t('viewer.interrupted')}
      </p>
    )
  if (missingSound !== null)
    return (
      <p className={styles.note} role="alert">
        {t('viewer.noSound', { codec: missingSound })}
      </p>
    )
  if (resumedAtS === null || Math.abs(timeS - resumedAtS) > shownForS) return null
  return (
    <p className={styles.note}>
      {t('viewer.resumed', { time: timeText(resumedAtS) })}
      <Button kind="quiet" onClick={() => player.seek(0)}>
        {t('viewer.startOver')}
      </Button>
    </p>
  )
}
