// SPDX-License-Identifier: GPL-3.0-or-later
//! Gates shuffles with Rust's tests, without a build script and without crates:
//!
//!     rustc --test -O shuffle.rs $(pkg-config --libs shufflebias) && ./shuffle
//!
//! The structs have the first fields of those in C, and room for the rest.
use std::any::Any;
use std::collections::hash_map::RandomState;
use std::ffi::CStr;
use std::hash::{BuildHasher, Hasher};
use std::os::raw::{c_char, c_int, c_void};
use std::panic::{catch_unwind, resume_unwind, AssertUnwindSafe};
use std::ptr::{null, null_mut};

type Callback = extern "C" fn(*mut c_void, usize, usize, *mut c_void) -> c_int;

#[repr(C)]
struct Subject {
    scheme: *const c_char,
    command: *const c_void,
    file: *const c_char,
    shuffle: Callback,
    n: usize,
    deal: usize,
    name: *const c_char,
    state: *mut c_void,
    rest: [usize; 32],
}

#[repr(C)]
struct GateOptions {
    alpha: f64,
    delta: f64,
    exclude: f64,
    rest: [usize; 32],
}

#[repr(C)]
struct Error {
    status: c_int,
    field: [c_char; 32],
    value: [c_char; 96],
    text: [c_char; 512],
}

extern "C" {
    fn sb_gate_options_init(options: *mut GateOptions);
    fn sb_gate_new(subject: *const Subject, options: *const GateOptions, error: *mut Error, gate: *mut *mut c_void) -> c_int;
    fn sb_gate_text(
        gate: *const c_void,
        format: *const c_char,
        look: *const c_void,
        error: *mut Error,
        text: *mut *mut c_char,
        length: *mut usize,
    ) -> c_int;
    fn sb_gate_free(gate: *mut c_void);
    fn sb_text_free(text: *mut c_char);
}

/// A shuffle, and its panic, which must not pass through the library's frames of C.
struct Trial<F> {
    shuffle: F,
    panic: Option<Box<dyn Any + Send>>,
}

extern "C" fn call<F: FnMut(&mut [u16])>(items: *mut c_void, n: usize, _size: usize, trial: *mut c_void) -> c_int {
    let trial = unsafe { &mut *(trial as *mut Trial<F>) };
    let deck = unsafe { std::slice::from_raw_parts_mut(items as *mut u16, n) };
    match catch_unwind(AssertUnwindSafe(|| (trial.shuffle)(deck))) {
        Ok(()) => 0,
        Err(panic) => {
            trial.panic = Some(panic);
            1
        }
    }
}

/// Calls the shuffle with the numbers 0 to n-1 until the verdict is known. Returns the report, whose first word is the verdict.
fn gate<F: FnMut(&mut [u16])>(n: usize, exclude: f64, shuffle: F) -> String {
    let mut trial = Trial { shuffle, panic: None };
    let subject = Subject {
        scheme: null(),
        command: null(),
        file: null(),
        shuffle: call::<F>,
        n,
        deal: 0,
        name: null(),
        state: &mut trial as *mut Trial<F> as *mut c_void,
        rest: [0; 32],
    };
    let mut options = GateOptions {
        alpha: 0.0,
        delta: 0.0,
        exclude: 0.0,
        rest: [0; 32],
    };
    let mut error = Error {
        status: 0,
        field: [0; 32],
        value: [0; 96],
        text: [0; 512],
    };
    let (mut gate, mut text) = (null_mut(), null_mut());
    unsafe {
        sb_gate_options_init(&mut options);
        options.exclude = exclude;
        let status = sb_gate_new(&subject, &options, &mut error, &mut gate);
        if let Some(panic) = trial.panic {
            resume_unwind(panic);
        }
        if status != 0 {
            return CStr::from_ptr(error.text.as_ptr()).to_string_lossy().into_owned();
        }
        sb_gate_text(
            gate,
            b"text\0".as_ptr() as *const c_char,
            null(),
            null_mut(),
            &mut text,
            null_mut(),
        );
        let report = CStr::from_ptr(text).to_string_lossy().trim().to_string();
        sb_text_free(text);
        sb_gate_free(gate);
        report
    }
}

fn assert_fair<F: FnMut(&mut [u16])>(n: usize, exclude: f64, shuffle: F) {
    let report = gate(n, exclude, shuffle);
    assert!(report.starts_with("PASS"), "{}", report);
}

/// Numbers below a bound, by SplitMix64 from a random seed, because Rust's library has no random numbers.
fn below() -> impl FnMut(usize) -> usize {
    let mut state = RandomState::new().build_hasher().finish();
    move |bound| {
        state = state.wrapping_add(0x9E3779B97F4A7C15);
        let z = (state ^ (state >> 30)).wrapping_mul(0xBF58476D1CE4E5B9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94D049BB133111EB);
        (((z ^ (z >> 31)) as u128 * bound as u128) >> 64) as usize
    }
}

#[test]
fn fisher_yates() {
    let mut below = below();
    assert_fair(5, 0.02, |deck| {
        for i in (1..deck.len()).rev() {
            deck.swap(i, below(i + 1));
        }
    });
}

/// This one fails: the naive swap.
#[test]
fn naive() {
    let mut below = below();
    assert_fair(5, 0.02, |deck| {
        for i in 0..deck.len() {
            deck.swap(i, below(deck.len()));
        }
    });
}
