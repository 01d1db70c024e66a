// SPDX-License-Identifier: GPL-3.0-or-later
//! Gates shuffles with Rust's tests, without a build script and without crates:
//!
//!     rustc --test -O shuffle.rs $(pkg-config --libs shufflebias) && ./shuffle
use std::any::Any;
use std::collections::hash_map::RandomState;
use std::ffi::{CStr, CString};
use std::hash::{BuildHasher, Hasher};
use std::os::raw::{c_char, c_int, c_void};
use std::panic::{catch_unwind, resume_unwind, AssertUnwindSafe};
use std::ptr::null_mut;

type Callback = extern "C" fn(*mut c_void, usize, usize, *mut c_void) -> c_int;

extern "C" {
    fn sb_request_new(command: *const c_char) -> *mut c_void;
    fn sb_set(request: *mut c_void, name: *const c_char, value: *const c_char) -> c_int;
    fn sb_set_shuffle(request: *mut c_void, shuffle: Callback, state: *mut c_void);
    fn sb_run(request: *mut c_void) -> *mut c_void;
    fn sb_error(request: *const c_void) -> *const c_char;
    fn sb_text(result: *mut c_void, format: *const c_char, length: *mut usize) -> *const c_char;
    fn sb_result_free(result: *mut c_void);
    fn sb_request_free(request: *mut c_void);
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
fn gate<F: FnMut(&mut [u16])>(n: usize, max_bias: f64, shuffle: F) -> String {
    let mut trial = Trial { shuffle, panic: None };
    let options = [("n", n.to_string()), ("max-bias", max_bias.to_string())];
    unsafe {
        let request = sb_request_new(b"gate\0".as_ptr() as *const c_char);
        sb_set_shuffle(request, call::<F>, &mut trial as *mut Trial<F> as *mut c_void);
        let set = options.iter().all(|(name, value)| {
            let (name, value) = (CString::new(*name).unwrap(), CString::new(value.as_str()).unwrap());
            sb_set(request, name.as_ptr(), value.as_ptr()) == 0
        });
        let result = if set { sb_run(request) } else { null_mut() };
        if let Some(panic) = trial.panic {
            resume_unwind(panic);
        }
        let line = if result.is_null() {
            sb_error(request)
        } else {
            sb_text(result, b"text\0".as_ptr() as *const c_char, null_mut())
        };
        let report = CStr::from_ptr(line).to_string_lossy().trim().to_string();
        sb_result_free(result);
        sb_request_free(request);
        report
    }
}

fn assert_fair<F: FnMut(&mut [u16])>(n: usize, max_bias: f64, shuffle: F) {
    let report = gate(n, max_bias, shuffle);
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
