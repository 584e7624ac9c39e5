import { t } from '../../../i18n/translate.ts'
import { Button } from '../../../ui/button.tsx'
import { usePlayerState } from './player.ts'
import { timeText } from './time-text.ts'
import type { OpenPlayer } from './use-player.ts'
import styles from './media.module.css'

/** The note about a continued file disappears after this many seconds of playback, or when the user jumps further. */
const shownForS = 10

/**
 * Renders a note about a lost connection, about an audio codec that cannot be played, or about a file that continues
 * where the user left it. The last note has a button that starts the file from the beginning.
 */
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
