import { Gauge } from 'lucide'
import { formatNumber } from '../../../i18n/later-formats.ts'
import { t } from '../../../i18n/translate.ts'
import { useStore } from '../../../state/store.ts'
import type { ToolMenu } from '../frame/tool.ts'
import { playbackSpeed, speeds } from './player-preferences.ts'

/** Returns the menu of the speeds. */
export function useSpeedMenu(): ToolMenu {
  const chosen = useStore(playbackSpeed)
  return {
    kind: 'menu',
    icon: Gauge,
    label: t('viewer.speed', { speed: speedText(chosen) }),
    entries: speeds.map((speed) => ({
      id: String(speed),
      label: speedText(speed),
      isChosen: speed === chosen,
      run: () => playbackSpeed.set(speed),
    })),
  }
}

const speedText = (speed: number): string => `${formatNumber(speed, 2)}×`
