import { Gauge } from 'lucide'
import { formatNumber } from '../../../i18n/later-formats.ts'
import { t } from '../../../i18n/translate.ts'
import { useStore } from '../../../state/store.ts'
import { MenuButton } from '../../../ui/menu-button.tsx'
import { playbackSpeed, speeds } from './player-preferences.ts'

/** Renders the menu of the speeds. */
export function SpeedMenu() {
  const chosen = useStore(playbackSpeed)
  return (
    <MenuButton
      icon={Gauge}
      label={t('viewer.speed', { speed: speedText(chosen) })}
      placement="top end"
      entries={speeds.map((speed) => ({
        id: String(speed),
        label: speedText(speed),
        isChosen: speed === chosen,
        run: () => playbackSpeed.set(speed),
      }))}
    />
  )
}

const speedText = (speed: number): string => `${formatNumber(speed, 2)}×`
