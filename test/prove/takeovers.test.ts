import { expect, test } from 'vitest';
import { laneOf } from '../../src/deliveries/model/tables.js';
import { createFleet, pause } from '../deliveries/fleet.js';
import { openPostgres } from '../deliveries/postgres-under-test.js';

test('takes over 20,000 busy endpoints from a killed worker', async () => {
  const fleet = await createFleet(1);
  const { log, start, schema } = fleet;
  const { sql } = await openPostgres({ schema });
  const ids = Array.from({ length: 20_000 }, (_, n) => `busy_${n}`);
  await sql(
    `insert into endpoints (id, value, revision)
     select id, json_build_object('id', id, 'installationId', 'ins_1', 'enabled', true, 'events', '["site_view"]'::json,
       'place', json_build_object('type', 'site', 'id', 'site_1'), 'url', $2 || id, 'secret', 's', 'createdAt', 0), 10
     from unnest($1::text[]) id`,
    [ids, `${log.url}/`],
  );
  await sql('update revisions set last = 10');
  await sql(
    `insert into pending (lane, endpoint, installation, event_id, event_type, created_at, body)
     select lane, endpoint, 'ins_1', 'evt', 'site_view', 0,
       convert_to('{"eventId":"' || endpoint || '_' || n || '"}', 'UTF8')
     from unnest($1::smallint[], $2::text[]) e(lane, endpoint), generate_series(1, 6) n`,
    [ids.map(laneOf), ids],
  );
  const rateOf = async (name: string, seconds: number): Promise<number> => {
    await start(name).event('ready');
    await pause(1000);
    const before = log.received.length;
    const began = performance.now();
    await pause(seconds * 1000);
    return ((log.received.length - before) * 1000) / (performance.now() - began);
  };
  const undisturbed = await rateOf('first', 6);
  fleet.workers[0]?.child.kill('SIGKILL');
  const afterKill = await rateOf('second', 6);
  console.log(
    `20,000 busy endpoints: ${Math.round(undisturbed)} requests per second, ${Math.round(afterKill)} after a kill`,
  );
  // It was 300 to 770 per second when suspects were prepared one at a time.
  expect(afterKill).toBeGreaterThan(undisturbed / 2);
});
