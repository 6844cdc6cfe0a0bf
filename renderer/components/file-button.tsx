import { useRef } from 'react'
import type { ReactNode } from 'react'
import { Button } from './controls.tsx'

type Props = {
  children: ReactNode
  /** Endings and types, as an input has them. */
  accept: string
  testId: string
  onFile: (file: File) => void
}

/** A button that lets a person choose a file. */
export function FileButton({ children, accept, testId, onFile }: Props): ReactNode {
  const input = useRef<HTMLInputElement>(null)
  return (
    <>
      <Button icon="folder" onPress={() => input.current?.click()}>
        {children}
      </Button>
      <input
        ref={input}
        type="file"
        accept={accept}
        hidden
        data-testid={testId}
        onChange={({ target }) => {
          const file = target.files?.[0]
          // The same file may be chosen again.
          target.value = ''
          if (file) onFile(file)
        }}
      />
    </>
  )
}
