import type { ReactNode } from 'react'
import { useLanguage } from '../messages/language.tsx'
import { Button } from './controls.tsx'
import { useSystem } from './key-names.ts'

/** Shows a file where the system shows files, by the name that it has there. */
export function RevealButton({ quiet = false, onPress }: { quiet?: boolean; onPress: () => void }): ReactNode {
  const { t } = useLanguage()
  const system = useSystem()
  return (
    <Button variant={quiet ? 'quiet' : 'plain'} icon="external" onPress={onPress}>
      {t('action.reveal', { system })}
    </Button>
  )
}
