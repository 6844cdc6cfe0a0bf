import type { ReactNode } from 'react'

/** Shapes on a 16-unit grid, drawn with a stroke in the colour of the text. */
const paths = {
  document: 'M4 1.750h5L12.500 5.250v9H4zM9 1.750v3.500h3.500',
  folder: 'M1.750 4h4.500l1.500 1.750h6.500V13H1.750z',
  schema: 'M2.500 3.500h11M5 8h8.500M5 12.500h8.500M2.500 3.500v9H5M2.500 8H5',
  export: 'M8 2v8M5 7.250 8 10.250l3-3M2.500 13.500h11',
  settings:
    'M2 4.500h6.500M12.500 4.500H14M2 11.500h1.500M7.500 11.500H14M8.500 4.500a2 2 0 1 0 4 0 2 2 0 1 0-4 0M3.500 11.500a2 2 0 1 0 4 0 2 2 0 1 0-4 0',
  ask: 'M2.500 3h11v8H8l-3 2.500V11H2.500zM5 5.750h6M5 8.250h4',
  usage: 'M3 13.500V8.500M6.300 13.500V4M9.700 13.500V6.500M13 13.500V2.500',
  agent: 'M4 5.500h8v7H4zM8 5.500V3M8 2.500v.1M6.500 8.500v.1M9.500 8.500v.1M6.500 10.750h3M2 8v2M14 8v2',
  partner: 'M2.500 13.500h11M4 13.500V4.500l4-2.250 4 2.250v9M6.500 7h.1M9.400 7h.1M7 13.500v-3h2v3',
  send: 'M2.500 2.750 13.750 8 2.500 13.250 4.500 8zM4.500 8h4',
  search: 'M7 2.250a4.750 4.750 0 1 1 0 9.500 4.750 4.750 0 0 1 0-9.500M10.500 10.500l3.250 3.250',
  check: 'M3 8.500 6.500 12 13 4.500',
  cross: 'M4 4l8 8M12 4l-8 8',
  up: 'M8 13V3M4 7l4-4 4 4',
  down: 'M8 3v10M4 9l4 4 4-4',
  left: 'M10 3.500 5.500 8l4.500 4.500',
  right: 'M6 3.500 10.500 8 6 12.500',
  chevron: 'M4 6l4 4 4-4',
  flag: 'M4 14V2.500h8L10.250 5.500 12 8.500H4',
  eye: 'M1.500 8S4 3.750 8 3.750 14.500 8 14.500 8 12 12.250 8 12.250 1.500 8 1.500 8M8 6.250a1.750 1.750 0 1 1 0 3.500 1.750 1.750 0 0 1 0-3.500',
  keyboard: 'M1.500 4h13v8h-13zM4 6.500h.1M6.700 6.500h.1M9.400 6.500h.1M12 6.500h.1M4.500 9.500h7',
  undo: 'M5.500 3 2.500 6l3 3M2.500 6H10a3.500 3.500 0 0 1 0 7H6',
  redo: 'M10.500 3l3 3-3 3M13.500 6H6a3.500 3.500 0 0 0 0 7h4',
  rotate: 'M12.500 5.500A5 5 0 1 0 13 9M13 2v3.750H9.250',
  clock: 'M8 2a6 6 0 1 1 0 12A6 6 0 0 1 8 2M8 5v3.250l2 1.500',
  question: 'M5.750 6A2.250 2.250 0 1 1 8 8.250V9.500M8 12.250v.1',
  info: 'M8 2a6 6 0 1 1 0 12A6 6 0 0 1 8 2M8 7.250v3.500M8 5v.1',
  skip: 'M3 4l5 4-5 4zM12.500 4v8',
  sort: 'M2 3h4.500v10H2zM9.500 3H14v4H9.500zM9.500 9H14v4H9.500z',
  cut: 'M4.250 2.500a1.750 1.750 0 1 1 0 3.500 1.750 1.750 0 1 1 0-3.500M4.250 10a1.750 1.750 0 1 1 0 3.500 1.750 1.750 0 1 1 0-3.500M5.750 5.250 13.500 11.500M5.750 10.750 13.500 4.500',
  copy: 'M5.500 5.500h8v8h-8zM10.500 5.500v-3h-8v8h3',
  stop: 'M4.500 4.500h7v7h-7z',
  plus: 'M8 3v10M3 8h10',
  minus: 'M3 8h10',
  trash: 'M2.500 4.500h11M6 4.500V2.500h4v2M4 4.500l.6 9h6.800l.6-9',
  pause: 'M5.500 3.500v9M10.500 3.500v9',
  play: 'M5 3l7.500 5L5 13z',
  warning: 'M8 2.250 14.500 13.500h-13zM8 6.500v3.250M8 11.600v.1',
  offline: 'M2 2l12 12M4.500 6.500A5.500 5.500 0 0 0 2.500 8M13.500 8A7 7 0 0 0 8 5.600M6 10.750a3 3 0 0 1 4 0M8 13v.1',
  refresh: 'M13 8a5 5 0 1 1-1.500-3.600M13 2v3h-3',
  computer: 'M2 3h12v8H2zM6 14h4M8 11v3',
  cloud: 'M4.500 12.500a3 3 0 0 1-.3-6 4 4 0 0 1 7.600 0 3 3 0 0 1-.3 6z',
  lock: 'M3.500 7.250h9v6.500h-9zM5.500 7.250v-2a2.500 2.500 0 0 1 5 0v2',
  more: 'M3 8h.6M7.700 8h.6M12.400 8h.6',
  external: 'M9 2.500h4.500V7M13.500 2.500 7.500 8.500M11.500 9.500v4h-9v-9h4',
  columns: 'M2.500 3h11v10h-11zM6.200 3v10M9.800 3v10',
  fit: 'M2.500 6V2.500H6M10 2.500h3.500V6M13.500 10v3.500H10M6 13.500H2.500V10',
} as const

export type IconName = keyof typeof paths

/** A small drawing beside words; silent for screen readers, since the words say it. */
export function Icon({ name, size = 16 }: { name: IconName; size?: number }): ReactNode {
  return (
    <svg className="icon" viewBox="0 0 16 16" width={size} height={size} aria-hidden="true" focusable="false">
      <path d={paths[name]} />
    </svg>
  )
}

/** The mark of Sheaf: a small stack of written sheets. */
export function BrandMark({ size = 22 }: { size?: number }): ReactNode {
  return (
    <svg className="brand-mark" viewBox="0 0 22 22" width={size} height={size} aria-hidden="true" focusable="false">
      <path className="brand-mark__back" d="M3 6v12.500A1.500 1.500 0 0 0 4.500 20H14" />
      <path
        className="brand-mark__sheet"
        d="M6.500 2.500h8l4 4V16a1 1 0 0 1-1 1h-11a1 1 0 0 1-1-1V3.500a1 1 0 0 1 1-1Z"
      />
      <path className="brand-mark__lines" d="M8.500 8h4M8.500 10.750h7M8.500 13.500h7" />
    </svg>
  )
}
