import { Volume2, VolumeX } from 'lucide'
import { formatPercent } from '../../../i18n/later-formats.ts'
import { t } from '../../../i18n/translate.ts'
import { useStore } from '../../../state/store.ts'
import { IconButton } from '../../../ui/icon-button.tsx'
import { muted, setVolume, soundVolume, toggleSound } from './player-preferences.ts'
import styles from './player-bar.module.css'

/** Renders the button that switches the sound off and on, and the slider for the volume. Phones have keys for the volume. */
export function VolumeControl({ hint }: { readonly hint: string | undefined }) {
  const volume = Number(useStore(soundVolume))
  const isSilent = useStore(muted) === 'on' || volume === 0
  const heard = isSilent ? 0 : volume
  return (
    <>
      <IconButton
        icon={isSilent ? VolumeX : Volume2}
        label={isSilent ? t('viewer.unmute') : t('viewer.mute')}
        hint={hint}
        onClick={toggleSound}
      />
      <div className={styles.volume}>
        <span className={styles.played} style={{ inlineSize: `${heard * 100}%` }} />
        <input
          type="range"
          aria-label={t('viewer.volume')}
          aria-valuetext={formatPercent(heard)}
          min={0}
          max={1}
          step={0.05}
          value={heard}
          onChange={(event) => setVolume(event.currentTarget.valueAsNumber)}
        />
      </div>
    </>
  )
}
