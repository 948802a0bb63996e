#!/usr/bin/env node
'use strict';
require('./start.js')('platform', 'cli/main.cjs');
