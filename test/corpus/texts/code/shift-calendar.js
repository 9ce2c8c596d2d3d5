/**
 * Shift calendar widget of the staff portal.
 *
 * Draws one month, lets a planner drag shifts between days, and warns about rest times.
 * Works without a build step; expects `window.portal` from portal.js.
 */
(function (global) {
  'use strict';

  var DAY_MS = 24 * 60 * 60 * 1000;
  var HOUR_MS = 60 * 60 * 1000;
  var MIN_REST_HOURS = 11;
  var MAX_WEEK_HOURS = 48;
  var COLOURS = { early: '#f4d35e', late: '#ee964b', night: '#0d3b66', on_call: '#9aa5b1' };
  var WEEKDAYS = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'];

  function Calendar(element, options) {
    this.element = element;
    this.options = Object.assign({ readOnly: false, firstDay: 1, onMove: function () {} }, options);
    this.month = startOfMonth(new Date());
    this.shifts = [];
    this.people = {};
    this.drag = null;
    this.element.addEventListener('mousedown', this.startDrag.bind(this));
    this.element.addEventListener('keydown', this.onKey.bind(this));
    document.addEventListener('mousemove', this.moveDrag.bind(this));
    document.addEventListener('mouseup', this.endDrag.bind(this));
  }

  Calendar.prototype.load = function (month) {
    var self = this;
    this.month = startOfMonth(month);
    this.element.classList.add('is-loading');
    return global.portal
      .fetch('/shifts?month=' + isoMonth(this.month))
      .then(function (reply) {
        self.people = indexBy(reply.people, 'id');
        self.shifts = reply.shifts.map(parseShift);
        self.draw();
      })
      .catch(function (error) {
        global.portal.toast('The plan could not be loaded: ' + error.message);
      })
      .then(function () {
        self.element.classList.remove('is-loading');
      });
  };

  Calendar.prototype.draw = function () {
    var cursor = this.gridStart();
    var html = '<table class="cal"><thead><tr>';
    for (var d = 0; d < 7; d++) html += '<th>' + WEEKDAYS[(d + this.options.firstDay - 1) % 7] + '</th>';
    html += '</tr></thead><tbody>';
    for (var week = 0; week < 6; week++) {
      html += '<tr>';
      for (var day = 0; day < 7; day++) {
        html += this.drawDay(cursor);
        cursor = new Date(cursor.getTime() + DAY_MS);
      }
      html += '</tr>';
    }
    this.element.innerHTML = html + '</tbody></table>';
    this.drawTotals();
  };

  Calendar.prototype.drawDay = function (date) {
    var self = this;
    var outside = date.getMonth() !== this.month.getMonth();
    var cells = this.shiftsOn(date)
      .sort(function (a, b) {
        return a.start - b.start;
      })
      .map(function (shift) {
        return self.drawShift(shift);
      });
    return (
      '<td data-day="' +
      isoDay(date) +
      '" class="' +
      (outside ? 'outside' : '') +
      (isToday(date) ? ' today' : '') +
      '"><b>' +
      date.getDate() +
      '</b>' +
      cells.join('') +
      '</td>'
    );
  };

  Calendar.prototype.drawShift = function (shift) {
    var person = this.people[shift.personId];
    var label = person ? person.shortName : '?';
    var problem = this.problemOf(shift);
    return (
      '<div class="shift' +
      (problem ? ' warn' : '') +
      '" tabindex="0" data-id="' +
      shift.id +
      '" style="background:' +
      (COLOURS[shift.kind] || '#ccc') +
      '" title="' +
      escape(problem || '') +
      '">' +
      escape(label) +
      ' ' +
      clock(shift.start) +
      '–' +
      clock(shift.end) +
      '</div>'
    );
  };

  /** Hours per person and ISO week, printed under the grid. */
  Calendar.prototype.drawTotals = function () {
    var totals = {};
    this.shifts.forEach(function (shift) {
      var key = shift.personId + '|' + isoWeek(shift.start);
      totals[key] = (totals[key] || 0) + (shift.end - shift.start) / HOUR_MS - shift.breakMinutes / 60;
    });
    var people = this.people;
    var lines = Object.keys(totals)
      .filter(function (key) {
        return totals[key] > MAX_WEEK_HOURS;
      })
      .map(function (key) {
        var parts = key.split('|');
        var name = people[parts[0]] ? people[parts[0]].name : parts[0];
        return '<li>' + escape(name) + ': ' + totals[key].toFixed(1) + ' h in week ' + parts[1] + '</li>';
      });
    if (lines.length > 0) {
      this.element.insertAdjacentHTML('beforeend', '<ul class="over">' + lines.join('') + '</ul>');
    }
  };

  Calendar.prototype.problemOf = function (shift) {
    var previous = this.shifts
      .filter(function (other) {
        return other.personId === shift.personId && other.end <= shift.start && other.id !== shift.id;
      })
      .sort(function (a, b) {
        return b.end - a.end;
      })[0];
    if (!previous) return null;
    var rest = (shift.start - previous.end) / HOUR_MS;
    if (rest < MIN_REST_HOURS) return 'only ' + rest.toFixed(1) + ' h of rest';
    return null;
  };

  Calendar.prototype.shiftsOn = function (date) {
    var key = isoDay(date);
    return this.shifts.filter(function (shift) {
      return isoDay(shift.start) === key;
    });
  };

  Calendar.prototype.gridStart = function () {
    var offset = (this.month.getDay() - this.options.firstDay + 7) % 7;
    return new Date(this.month.getFullYear(), this.month.getMonth(), 1 - offset);
  };

  Calendar.prototype.startDrag = function (event) {
    var target = event.target.closest('.shift');
    if (!target || this.options.readOnly) return;
    this.drag = { id: target.getAttribute('data-id'), ghost: target.cloneNode(true), moved: false };
    this.drag.ghost.classList.add('ghost');
    event.preventDefault();
  };

  Calendar.prototype.moveDrag = function (event) {
    if (!this.drag) return;
    if (!this.drag.moved) {
      this.drag.moved = true;
      document.body.appendChild(this.drag.ghost);
    }
    this.drag.ghost.style.left = event.pageX + 8 + 'px';
    this.drag.ghost.style.top = event.pageY + 8 + 'px';
  };

  Calendar.prototype.endDrag = function (event) {
    var drag = this.drag;
    this.drag = null;
    if (!drag || !drag.moved) return;
    drag.ghost.remove();
    var cell = document.elementFromPoint(event.clientX, event.clientY);
    cell = cell && cell.closest('td[data-day]');
    if (cell) this.moveShift(drag.id, cell.getAttribute('data-day'));
  };

  Calendar.prototype.moveShift = function (id, day) {
    var shift = this.shifts.find(function (candidate) {
      return String(candidate.id) === id;
    });
    if (!shift) return;
    var days = Math.round((startOfDay(new Date(day + 'T12:00')) - startOfDay(shift.start)) / DAY_MS);
    if (days === 0) return;
    var before = { start: shift.start, end: shift.end };
    shift.start = addDays(shift.start, days);
    shift.end = addDays(shift.end, days);
    this.draw();
    var self = this;
    Promise.resolve(this.options.onMove(shift)).catch(function (error) {
      shift.start = before.start;
      shift.end = before.end;
      self.draw();
      global.portal.toast('The shift was not moved: ' + error.message);
    });
  };

  Calendar.prototype.onKey = function (event) {
    var target = event.target.closest('.shift');
    if (!target || this.options.readOnly) return;
    var cell = target.closest('td[data-day]');
    var step = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -7, ArrowDown: 7 }[event.key];
    if (!step) return;
    event.preventDefault();
    var day = addDays(new Date(cell.getAttribute('data-day') + 'T12:00'), step);
    this.moveShift(target.getAttribute('data-id'), isoDay(day));
  };

  function parseShift(raw) {
    return {
      id: raw.id,
      personId: raw.person_id,
      kind: raw.kind,
      start: new Date(raw.start),
      end: new Date(raw.end),
      breakMinutes: raw.break_minutes || 0,
    };
  }

  function startOfMonth(date) {
    return new Date(date.getFullYear(), date.getMonth(), 1);
  }

  function startOfDay(date) {
    return new Date(date.getFullYear(), date.getMonth(), date.getDate());
  }

  function addDays(date, days) {
    var result = new Date(date);
    result.setDate(result.getDate() + days);
    return result;
  }

  function isToday(date) {
    return isoDay(date) === isoDay(new Date());
  }

  function isoMonth(date) {
    return date.getFullYear() + '-' + pad(date.getMonth() + 1);
  }

  function isoDay(date) {
    return isoMonth(date) + '-' + pad(date.getDate());
  }

  function isoWeek(date) {
    var thursday = addDays(startOfDay(date), 3 - ((date.getDay() + 6) % 7));
    var first = new Date(thursday.getFullYear(), 0, 4);
    return 1 + Math.round(((thursday - first) / DAY_MS - 3 + ((first.getDay() + 6) % 7)) / 7);
  }

  function clock(date) {
    return pad(date.getHours()) + ':' + pad(date.getMinutes());
  }

  function pad(number) {
    return (number < 10 ? '0' : '') + number;
  }

  function indexBy(list, key) {
    var map = {};
    list.forEach(function (item) {
      map[item[key]] = item;
    });
    return map;
  }

  function escape(text) {
    return String(text).replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/"/g, '&quot;');
  }

  global.ShiftCalendar = Calendar;
})(window);
