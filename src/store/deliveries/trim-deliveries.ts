import type { Sqlite } from '../sqlite/sqlite.js';

/**
 * Run this after each finished delivery: it checks every hundredth time, and deletes the oldest finished
 * deliveries.
 */
export function createDeliveryTrim(db: Sqlite, keep: number): () => void {
  const count = db.prepare('SELECT count(*) FROM delivery WHERE finished_at IS NOT NULL');
  const oldest = db.prepare(
    'SELECT id FROM delivery WHERE finished_at IS NOT NULL ORDER BY finished_at, id LIMIT ?',
  );
  const removals = [
    db.prepare('DELETE FROM delivery_attempt WHERE delivery = ?'),
    db.prepare('DELETE FROM delivery_body WHERE delivery = ?'),
    db.prepare('DELETE FROM delivery WHERE id = ?'),
  ];
  let sinceLook = 0;

  return () => {
    sinceLook += 1;
    if (sinceLook < 100) return;
    sinceLook = 0;
    const excess = Number(count.first()?.[0] ?? 0) - keep;
    if (excess <= 0) return;
    for (const [id] of oldest.all(excess)) {
      for (const removal of removals) removal.run(id ?? null);
    }
  };
}
