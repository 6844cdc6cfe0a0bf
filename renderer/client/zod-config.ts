import * as z from 'zod'

// Before any shape is made: zod would otherwise try `new Function`, which the content security policy refuses and
// reports.
z.config({ jitless: true })
