/**
 * What is due is asked folder by folder: one that is paused, or that a command does not work for, may hold thousands of
 * documents that would be gone through for each one that is sent.
 */
export const queueByFolder = `
CREATE INDEX documents_queued_in_folder ON documents (folder_id, connection_id, not_before, id) WHERE status = 'queued';
`
